import { serve as listenWithHono } from "@hono/node-server";
import { Hono } from "hono";
import { toHonoHandler } from "../../../../runtime/typescript/hosts/hono.js";
import type { RpcServer } from "../../../../runtime/typescript/server/server.js";
import { announce, closeAfterSignal } from "./listen.js";

export function serve(server: RpcServer): void {
  const app = new Hono();
  app.all("/*", toHonoHandler(server));
  const http = listenWithHono(
    { fetch: app.fetch, port: 0, hostname: "127.0.0.1" },
    () => announce(http),
  );
  closeAfterSignal(http);
}
