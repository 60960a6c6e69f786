import { createServer } from "node:http";
import express from "express";
import { toExpressHandler } from "../../../../runtime/typescript/hosts/express.js";
import type { RpcServer } from "../../../../runtime/typescript/server/server.js";
import { listen } from "./listen.js";

export function serve(server: RpcServer): void {
  const app = express();
  app.use(toExpressHandler(server, { unknownPaths: "answer" }));
  listen(createServer(app));
}
