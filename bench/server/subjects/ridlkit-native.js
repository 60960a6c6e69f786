import { createServer } from "node:http";
import { toNodeHandler } from "../../../dist/runtime/node.js";
import { listenOn } from "../listen.js";
import { server } from "./ridlkit.js";

export function listen() {
  return listenOn(createServer(toNodeHandler(server)));
}
