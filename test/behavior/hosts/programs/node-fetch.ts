import { createServer } from "node:http";
import { toNodeListener } from "../../../../runtime/typescript/hosts/node/node-listener.js";
import type { RpcServer } from "../../../../runtime/typescript/server/server.js";
import { listen } from "./listen.js";

/** Uses complete web-standard requests, because the code changes each one. */
export const serve = (server: RpcServer): void =>
  listen(
    createServer(
      toNodeListener((request) => {
        request.headers.set("x-changed", "yes");
        return server.fetch(request);
      }),
    ),
  );
