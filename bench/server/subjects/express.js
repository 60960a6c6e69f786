import { createServer } from "node:http";
import express from "express";
import { accessKey, handlers } from "../contract/messages.js";
import { zodSchema } from "../contract/zod.js";
import { listenOn } from "./listen.js";

export function listen() {
  const app = express();
  app.use((request, response, next) => {
    if (request.get("x-access-key") === accessKey) next();
    else response.status(401).json({ error: "AccessKeyNotFound" });
  });
  app.use(express.json({ limit: "1mb" }));
  for (const [name, handler] of Object.entries(handlers)) {
    const schema = zodSchema(`${name}Request`);
    app.post(`/${name}`, (request, response) => {
      const { success, data, error } = schema.safeParse(request.body);
      if (success) response.json(handler(data));
      else response.status(400).json({ error: error.issues });
    });
  }
  return listenOn(createServer(app));
}
