import { createServer } from "node:http";
import { toNodeListener } from "../../../dist/runtime/node-listener.js";
import { listenOn } from "../listen.js";
import { server } from "./ridlkit.js";

export function listen() {
  return listenOn(createServer(toNodeListener(server.fetch)));
}
