import { createServer } from "node:http";
import { handlers } from "../contract/messages.js";
import { listenOn } from "./listen.js";

const byPath = new Map(
  Object.entries(handlers).map(([name, handler]) => [`/${name}`, handler]),
);

/** Starts a server like `node-http.js` with every known optimization. */
export function listen() {
  const server = createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const text =
        chunks.length === 1
          ? chunks[0].toString()
          : Buffer.concat(chunks).toString();
      const handler = byPath.get(request.url);
      const body = JSON.stringify(handler(JSON.parse(text)));
      response.writeHead(200, {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      });
      response.end(body);
    });
  });
  return listenOn(server);
}
