import { createServer } from "node:http";
import { RPCHandler } from "@orpc/server/node";
import { listenOn } from "./listen.js";
import { router } from "./orpc-router.js";

export function listen() {
  const handler = new RPCHandler(router);
  const server = createServer((request, response) =>
    handler.handle(request, response, {
      context: { key: request.headers["x-access-key"] },
    }),
  );
  return listenOn(server);
}
