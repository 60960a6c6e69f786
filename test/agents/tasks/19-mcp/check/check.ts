import { strictEqual } from "node:assert";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { toNodeHandler } from "@ridlkit/runtime/node";
import { createShopServer } from "./generated/server.js";

const server = createShopServer({
  verifyApiKey: (key) => key === "key-of-ada",
  handlers: {
    shop: {
      getTitle: ({ isbn }) => ({ title: `Book ${isbn}` }),
      setTitle: () => ({}),
    },
  },
});
const http = createServer(toNodeHandler(server)).listen(0);
await once(http, "listening");
const { port } = Object(http.address());

const text = readFileSync("mcp.json", "utf8");
const { mcpServers } = JSON.parse(text.replaceAll("8080", String(port)));
const { command, args, env } = mcpServers.shop;
const client = new Client({ name: "check", version: "1.0.0" });
await client.connect(
  new StdioClientTransport({
    command,
    args,
    env: { ...env, PATH: process.env["PATH"] ?? "" },
  }),
);
const { tools } = await client.listTools();
const tool = tools.find(({ name }) => name.includes("GetTitle"));
strictEqual(tool?.annotations?.readOnlyHint, true);
strictEqual(
  tools.some(({ name }) => name.includes("SetTitle")),
  false,
);
const result = await client.callTool({
  name: tool?.name ?? "",
  arguments: { isbn: "1" },
});
strictEqual(JSON.stringify(result).includes("Book 1"), true);
await client.close();
http.closeAllConnections();
http.close();
