import { Hono } from "hono";
import { toHonoHandler } from "@ridlkit/runtime/hono";
import { createServer } from "./ridlkit.js";

export function create(options) {
  const app = new Hono();
  app.all("/*", toHonoHandler(createServer(options)));
  return app.fetch;
}
