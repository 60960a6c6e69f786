import { createAdaptorServer } from "@hono/node-server";
import { listenOn } from "./listen.js";
import { server } from "./ridlkit.js";

export function listen() {
  return listenOn(createAdaptorServer({ fetch: server.fetch }));
}
