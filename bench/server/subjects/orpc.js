import { createServer } from "node:http";
import { ORPCError, os } from "@orpc/server";
import { RPCHandler } from "@orpc/server/node";
import { accessKey, handlers } from "../contract/messages.js";
import { zodSchema } from "../contract/zod.js";
import { listenOn } from "./listen.js";

export function listen() {
  const base = os.$context().use(({ context, next }) => {
    if (context.key !== accessKey) throw new ORPCError("UNAUTHORIZED");
    return next();
  });
  const procedures = Object.entries(handlers).map(([name, handler]) => [
    name,
    base
      .input(zodSchema(`${name}Request`))
      .output(zodSchema(`${name}Response`))
      .handler(({ input }) => handler(input)),
  ]);
  const handler = new RPCHandler(Object.fromEntries(procedures));
  const server = createServer((request, response) =>
    handler.handle(request, response, {
      context: { key: request.headers["x-access-key"] },
    }),
  );
  return listenOn(server);
}
