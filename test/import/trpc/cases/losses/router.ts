import { initTRPC } from "@trpc/server";
import { z } from "zod";

const t = initTRPC.create({
  errorFormatter: ({ shape }) => ({ ...shape, version: 1 }),
});
const range = z
  .object({ from: z.number(), to: z.number() })
  .refine(({ from, to }) => from < to);

/** A schema of a library that gives no JSON Schema. */
const unknown = {
  "~standard": {
    version: 1,
    vendor: "mine",
    validate: (value: unknown) => ({ value: String(value) }),
  },
} as const;

/** A schema whose conversion fails. */
const failing = {
  "~standard": {
    version: 1,
    vendor: "mine",
    validate: (value: unknown) => ({ value }),
    jsonSchema: {
      input: () => {
        throw new Error("it has no JSON Schema");
      },
      output: () => {
        const schema: Record<string, unknown> = { type: "object" };
        schema["properties"] = { self: schema };
        return schema;
      },
    },
  },
} as const;

export const appRouter = t.router({
  noOutput: t.procedure.query(() => 1),
  checks: t.procedure
    .input(
      z.object({
        name: z.string().trim(),
        range,
        word: z.string().regex(/^a$/i),
        code: z.string().startsWith("a").endsWith("b"),
        site: z.url(),
        price: z.number().gt(0).multipleOf(0.5),
        coerced: z.coerce.number(),
        caught: z.string().catch("x"),
        length: z.string().transform((text) => text.length),
        prepared: z.preprocess(String, z.string()),
        custom: z.custom<Date>(() => true),
        pair: z.tuple([z.string(), z.number()]),
        readonly: z.string().readonly(),
      }),
    )
    .output(z.string().transform((text) => text.length))
    .mutation(() => "a"),
  values: t.procedure
    .input(
      z.object({
        at: z.date().min(new Date(0)),
        since: z.coerce.date().optional(),
        big: z.bigint(),
        map: z.map(z.string(), z.string()),
        set: z.set(z.string()),
        file: z.file().optional(),
        nothing: z.undefined(),
      }),
    )
    .output(z.object({ at: z.date(), big: z.bigint() }))
    .mutation(() => ({ at: new Date(), big: 1n })),
  unknown: t.procedure
    .input(unknown)
    .output(unknown)
    .query(() => "a"),
  failing: t.procedure
    .input(failing)
    .output(failing)
    .query(() => ({})),
  custom: t.procedure
    .input((value: unknown) => String(value))
    .output(z.void())
    .query(() => {}),
});
