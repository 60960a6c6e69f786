import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { validator } from "hono/validator";
import { accessKey, handlers } from "../contract/messages.js";
import { zodSchema } from "../contract/zod.js";
import { listenOn } from "./listen.js";

export function listen() {
  const app = new Hono();
  app.use(async (context, next) => {
    if (context.req.header("x-access-key") === accessKey) return next();
    return context.json({ error: "AccessKeyNotFound" }, 401);
  });
  for (const [name, handler] of Object.entries(handlers)) {
    const schema = zodSchema(`${name}Request`);
    const validate = validator("json", (value, context) => {
      const { success, data, error } = schema.safeParse(value);
      return success ? data : context.json({ error: error.issues }, 400);
    });
    app.post(`/${name}`, validate, (context) =>
      context.json(handler(context.req.valid("json"))),
    );
  }
  return listenOn(createAdaptorServer({ fetch: app.fetch }));
}
