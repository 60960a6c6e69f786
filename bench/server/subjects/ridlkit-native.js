import { createServer } from "node:http";
import { toNodeHandler } from "@ridlkit/runtime/node";
import { listenOn } from "./listen.js";
import { server } from "./ridlkit.js";

export function listen() {
  return listenOn(createServer(toNodeHandler(server)));
}
