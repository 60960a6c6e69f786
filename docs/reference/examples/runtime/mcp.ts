// Offers methods as [tools for agents](../../mcp.md). The `mcp` target generates a call to `createTools`. Programs pass the resulting tools to `handleTools`.
import { createTools, handleTools } from "@ridlkit/runtime/mcp";
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

const { listTools, callTool } = handleTools(tools, console.error);
console.log(listTools().tools.map(({ name }) => name)); // ["shop_get_book"]
const result = await callTool({
  params: { name: "shop_get_book", arguments: { isbn: "9780262510875" } },
});
console.log(result.structuredContent);
