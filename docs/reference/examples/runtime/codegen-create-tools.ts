// Creates [tools for agents](../../mcp.md) from methods. The `mcp` target generates a call to `createTools`.
import {
  createTools,
  withJsonData,
} from "@ridlkit/runtime/codegen/create-tools";
import { shopGetBook } from "../generated/client.js";
import { checkGetBookRequest } from "../generated/validators.js";
import { checkGetBookResponse } from "../generated/validators.js";
import { options } from "../shop.js";

const tools = createTools(
  options,
  {
    shop_get_book: {
      texts: { title: "Get book", description: "Returns one book." },
      safety: "readonly",
      method: shopGetBook,
      input: "GetBookRequest",
      output: "GetBookResponse",
      checkRequest: checkGetBookRequest,
      checkResponse: checkGetBookResponse,
    },
  },
  { GetBookRequest: { type: "object" } },
  { GetBookResponse: { type: "object" } },
  { maxItems: 20, maxMs: 5000 },
);

console.log(tools.map(({ definition }) => definition.name)); // ["shop_get_book"]

// Errors of this method have their data as JSON.
console.log(withJsonData(shopGetBook).path === shopGetBook.path); // true
