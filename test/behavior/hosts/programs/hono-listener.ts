import { createServer } from "node:http";
import { Hono } from "hono";
import { toHonoHandler } from "../../../../runtime/typescript/hosts/hono.js";
import { toNodeListener } from "../../../../runtime/typescript/hosts/node/node-listener.js";
import type { RpcServer } from "../../../../runtime/typescript/server/server.js";
import { listen } from "./listen.js";

export function serve(server: RpcServer): void {
  const app = new Hono();
  app.all("/*", toHonoHandler(server));
  listen(createServer(toNodeListener(app.fetch)));
}
