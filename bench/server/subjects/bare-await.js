import { createServer } from "node:http";
import { handlers } from "../contract/messages.js";
import { listenOn } from "../listen.js";
const byPath = new Map(
  Object.entries(handlers).map(([name, handler]) => [`/${name}`, handler]),
);
export function listen() {
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const handler = byPath.get(request.url);
    const body = JSON.stringify(
      handler(JSON.parse(Buffer.concat(chunks).toString())),
    );
    response.writeHead(200, { "content-type": "application/json" });
    response.end(body);
  });
  return listenOn(server);
}
