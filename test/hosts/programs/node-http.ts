import { createServer } from "node:http";
import { toNodeHandler } from "../../../runtime/hosts/node/node.js";
import type { RpcServer } from "../../../runtime/server/server.js";
import { listen } from "./listen.js";

export const serve = (server: RpcServer): void =>
  listen(createServer(toNodeHandler(server)));
