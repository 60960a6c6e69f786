import { createServer } from "node:http2";
import { toNodeHandler } from "../../../../runtime/typescript/hosts/node/node.js";
import { trackSessions } from "../../../../runtime/typescript/hosts/node/shutdown.js";
import type { RpcServer } from "../../../../runtime/typescript/server/server.js";
import { listen } from "./listen.js";

/** Serves HTTP/2 without TLS. */
export function serve(server: RpcServer): void {
  const handle = toNodeHandler(server);
  const http2 = createServer((request, response) => handle(request, response));
  listen(http2, { sessions: trackSessions(http2) });
}
