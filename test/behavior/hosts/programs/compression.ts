import { createServer } from "node:http";
import express from "express";
import { toExpressHandler } from "../../../../runtime/typescript/hosts/express.js";
import type { RpcServer } from "../../../../runtime/typescript/server/server.js";
import { listen } from "./listen.js";

/** Only the folder of the tests on hosts has this package. */
const name = "compression";

export async function serve(server: RpcServer): Promise<void> {
  const { default: compression } = Object(await import(name));
  const app = express();
  app.use(compression());
  app.use(toExpressHandler(server, { unknownPaths: "answer" }));
  listen(createServer(app));
}
