import { createServer } from "node:http";
import { listen, type Listening } from "../support/listen.js";

/**
 * Starts a server that cuts every response: those below `/gone` before they
 * begin, all others after their first bytes. Pages of any origin can call it.
 */
export function startCutter(): Promise<Listening> {
  const server = createServer((request, response) => {
    const { accept = "", origin = "*" } = request.headers;
    response.setHeader("access-control-allow-origin", origin);
    response.setHeader("access-control-allow-headers", "content-type,accept");
    response.setHeader("access-control-allow-methods", "GET,POST,PUT");
    if (request.method === "OPTIONS") return void response.writeHead(204).end();
    request.resume();
    if (request.url?.startsWith("/gone") === true)
      return void request.socket.destroy();
    const isStream = accept.includes("ndjson");
    const type = isStream ? "application/x-ndjson;end=1" : "application/json";
    response.writeHead(200, { "content-type": type, "content-length": 1000 });
    response.write(isStream ? '\n{"n":1}\n' : '{"n":', () =>
      request.socket.destroySoon(),
    );
  });
  return listen(server);
}
