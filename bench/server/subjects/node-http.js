import { createServer } from "node:http";
import { handlers } from "../contract/messages.js";
import { listenOn } from "./listen.js";

const byPath = new Map(
  Object.entries(handlers).map(([name, handler]) => [`/${name}`, handler]),
);

/**
 * Starts a server that does the work of every JSON server, without a library.
 */
export function listen() {
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const message = JSON.parse(Buffer.concat(chunks).toString());
    const handler = byPath.get(request.url);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(handler(message)));
  });
  return listenOn(server);
}
