import { initTRPC, TRPCError } from "@trpc/server";
import { createHTTPServer } from "@trpc/server/adapters/standalone";
import { accessKey, handlers } from "../contract/messages.js";
import { zodSchema } from "../contract/zod.js";
import { listenOn } from "./listen.js";

export function listen() {
  const t = initTRPC.context().create();
  const procedure = t.procedure.use(({ ctx, next }) => {
    if (ctx.key !== accessKey) throw new TRPCError({ code: "UNAUTHORIZED" });
    return next();
  });
  const procedures = Object.entries(handlers).map(([name, handler]) => [
    name,
    procedure
      .input(zodSchema(`${name}Request`))
      .output(zodSchema(`${name}Response`))
      .mutation(({ input }) => handler(input)),
  ]);
  const server = createHTTPServer({
    router: t.router(Object.fromEntries(procedures)),
    createContext: ({ req }) => ({ key: req.headers["x-access-key"] }),
  });
  return listenOn(server);
}
