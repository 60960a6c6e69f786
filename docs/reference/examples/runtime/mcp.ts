// Offers methods as [tools for agents](../../mcp.md). Programs pass the tools that the `mcp` target generates to `handleTools`.
import { handleTools } from "@ridlkit/runtime/mcp";
import { createShopTools } from "../generated/mcp.js";
import { options } from "../shop.js";

const tools = createShopTools(options, { maxItems: 20, maxMs: 5000 });
const { listTools, callTool } = handleTools(tools, console.error);
console.log(listTools().tools.map(({ name }) => name)); // ["Shop_GetBook"]
const result = await callTool({
  params: { name: "Shop_GetBook", arguments: { isbn: "9780262510875" } },
});
console.log(result.structuredContent);
