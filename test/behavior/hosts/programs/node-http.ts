import { createServer } from "node:http";
import { toNodeHandler } from "../../../../runtime/typescript/hosts/node/node.js";
import type { RpcServer } from "../../../../runtime/typescript/server/server.js";
import { listen } from "./listen.js";

export const serve = (server: RpcServer): void =>
  listen(createServer(toNodeHandler(server)));
