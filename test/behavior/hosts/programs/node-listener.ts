import { createServer } from "node:http";
import { toNodeListener } from "../../../../runtime/typescript/hosts/node/node-listener.js";
import type { RpcServer } from "../../../../runtime/typescript/server/server.js";
import { listen } from "./listen.js";

export const serve = (server: RpcServer): void =>
  listen(createServer(toNodeListener(server.fetch)));
