import { ORPCError, os } from "@orpc/server";
import { accessKey, handlers } from "../contract/messages.js";
import { zodSchema } from "../contract/zod.js";

const base = os.$context().use(({ context, next }) => {
  if (context.key !== accessKey) throw new ORPCError("UNAUTHORIZED");
  return next();
});

/** The procedures, whose context has the `key` of the request. */
export const router = Object.fromEntries(
  Object.entries(handlers).map(([name, handler]) => [
    name,
    base
      .input(zodSchema(`${name}Request`))
      .output(zodSchema(`${name}Response`))
      .handler(({ input }) => handler(input)),
  ]),
);
