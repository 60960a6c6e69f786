import { initTRPC } from "@trpc/server";
import { z } from "zod";

const transformer = {
  serialize: (value: unknown): unknown => [value],
  deserialize: (value: unknown): unknown => value,
};
const t = initTRPC.create({ transformer });
const output = z.object({
  struct: z.string(),
  error: z.enum(["a", "b c", "1"]),
  "a-b": z.number().nullable(),
  A_B: z.boolean(),
});

export const router = t.router({
  getUser: t.procedure.output(z.string()).query(() => ""),
  get_user: t.procedure.output(z.string()).query(() => ""),
  stream: t.procedure.output(z.date()).query(() => new Date()),
  struct: t.procedure.output(output).query(() => null as never),
  error: t.router({
    service: t.procedure.output(output.nullable()).query(() => null),
    "übung-1": t.procedure
      .input(
        z.object({
          type: z.literal(["x", "y"]),
          constructor: z.string(),
          value: z.union([z.string(), z.int(), z.null()]),
        }),
      )
      .output(z.record(z.enum(["on", "off"]), z.bigint()))
      .mutation(() => ({ on: 1n, off: 2n })),
    "1": t.router({
      "2": t.procedure
        .input(z.looseObject({ a: z.string().meta({ deprecated: true }) }))
        .output(z.array(z.array(z.object({ x: z.number() }))))
        .query(() => []),
    }),
  }),
  user: t.router({
    "": t.procedure
      .input(z.never())
      .output(z.null())
      .query(() => null),
    list: t.procedure
      .input(z.object({ id: z.string() }).meta({ id: "UserFilter" }).optional())
      .output(z.object({ users: z.array(z.object({ id: z.string().max(9) })) }))
      .query(() => ({ users: [] })),
  }),
});
