import { createServer } from "node:http";
import { toNodeListener } from "@ridlkit/runtime/node-listener";
import { listenOn } from "./listen.js";
import { server } from "./ridlkit.js";

export function listen() {
  return listenOn(createServer(toNodeListener(server.fetch)));
}
