import { initTRPC, lazy } from "@trpc/server";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  findRouter,
  loadLazyRouters,
  readRouter,
} from "../../../tools/import/trpc/read-router.js";
import { checkDocuments } from "../../support/check-documents.js";
import { isLong } from "../../support/draw-some.js";
import * as fc from "../../support/fast-check.js";
import { importRouter } from "./import-router.js";

const t = initTRPC.create();
const ping = t.procedure.output(z.string()).query(() => "");
const one = t.router({ ping });

function faultOf(exports: unknown, name: string | null = null): unknown {
  const found = findRouter(exports, name);
  return "fault" in found ? [found.fault, found.help] : found.name;
}

/** Imports a router. The RIDL must have no errors. */
function ridlOf(router: unknown): string {
  const { documents } = importRouter({ router }, "", "a");
  expect(documents).not.toBeNull();
  const { diagnostics } = checkDocuments(["a.ridl"], {
    read: (path) => documents?.get(path) ?? null,
  });
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(errors.map(({ message }) => message)).toEqual([]);
  return documents?.get("a.ridl") ?? "";
}

describe("modules", () => {
  test("must export one router, or the one with the given name", () => {
    const none = "the module exports no router of tRPC";
    const help =
      "export the router, e.g. `export const appRouter = t.router({ … })`";
    for (const value of [null, 1, {}, { a: 1, b: { _def: 1 } }, { c: t }]) {
      expect(faultOf(value)).toEqual([none, help]);
    }
    const two = { a: one, b: t.router({}) };
    expect(faultOf(two)).toEqual([
      "the module exports several routers: `a`, `b`",
      "choose one with `--export`, e.g. `--export a`",
    ]);
    expect(faultOf(two, "b")).toBe("b");
    expect(faultOf(two, "c")).toEqual([
      "the module exports no router `c`",
      "it exports `a`, `b`",
    ]);
    expect(faultOf({ a: one, alias: one })).toBe("a");
    expect(faultOf({ default: one })).toBe("default");
    // A CommonJS module.
    expect(faultOf({ default: { a: one } })).toBe("a");
  });

  test("can import routers lazily", async () => {
    const router = t.router({ a: lazy(() => Promise.resolve({ one })) });
    await loadLazyRouters(router);
    const { procedures } = readRouter(router);
    expect(procedures.map(({ path }) => path)).toEqual(["a.ping"]);
  });

  test("can be of tRPC 10", () => {
    const procedure = { _def: { mutation: true, inputs: [z.string()] } };
    const procedures = { "a.b": procedure };
    const router = { _def: { router: true, procedures } };
    expect(ridlOf(router)).toContain("- B(input: string) => (result: any)");
  });
});

describe("hostile routers", () => {
  test("without procedures are errors", () => {
    const { documents, diagnostics } = importRouter(
      { a: t.router({}) },
      "",
      "a",
    );
    expect(documents).toBeNull();
    expect(diagnostics.map(({ message }) => message)).toEqual([
      "the router has no procedures",
    ]);
  });

  test("with names of objects and of RIDL become RIDL", () => {
    const names =
      "__proto__ constructor toString struct service error stream proxy 1 é".split(
        " ",
      );
    const shape = Object.fromEntries(names.map((name) => [name, z.string()]));
    const schema = z.object({ ...shape, inner: z.object(shape) });
    const procedure = t.procedure
      .input(schema)
      .output(schema)
      .query(({ input }) => input);
    const procedures = Object.fromEntries(
      names.map((name) => [name, { _def: procedure._def }]),
    );
    const router = { _def: { router: true, procedures } };
    const ridl = ridlOf(router);
    for (const name of ["Proto", "Constructor", "CallStream", "Call1", "E"]) {
      expect(ridl).toMatch(new RegExp(`- ${name}\\(`, "u"));
    }
  });

  test("with schemas that contain themselves, or nest deeply, become RIDL", () => {
    const list: z.ZodType = z.lazy(() => z.array(list));
    const union: z.ZodType = z.lazy(() => z.union([z.string(), union]));
    const node: z.ZodType = z.lazy(() =>
      z.object({ next: node, others: z.record(z.string(), node) }),
    );
    let deep: z.ZodType = z.string();
    for (let depth = 0; depth < 150; depth++) deep = z.object({ deep });
    const schemas = { list, union, node, deep, json: z.json() };
    const procedures = Object.entries(schemas).map(([name, schema]) => [
      name,
      t.procedure
        .input(schema)
        .output(schema)
        .query(() => null),
    ]);
    expect(ridlOf(t.router(Object.fromEntries(procedures)))).toContain(
      "- Json(",
    );
  });

  test("with accessors that throw are errors, or parsers without a schema", () => {
    const parser = {
      get "~standard"(): unknown {
        throw new Error("no");
      },
    };
    const procedure = { _def: { type: "query", inputs: [parser] } };
    const router = { _def: { router: true, procedures: { a: procedure } } };
    const { diagnostics } = importRouter({ router }, "", "a");
    expect(diagnostics.map(({ message }) => message)).toContain(
      "the input parser cannot be converted to JSON Schema: no",
    );
  });

  test("with many procedures are imported in linear time", () => {
    const create = (count: number) =>
      t.router(
        Object.fromEntries(
          Array.from({ length: count }, (_, index) => [
            `call${index}`,
            t.procedure
              .input(z.object({ id: z.uuid(), own: z.literal(index) }))
              .output(z.object({ one: z.object({ [`a${index}`]: z.int() }) }))
              .query(() => null as never),
          ]),
        ),
      );
    const timeOf = (count: number): number => {
      const router = create(count);
      const { user } = process.cpuUsage();
      expect(importRouter({ router }, "", "a").documents).not.toBeNull();
      return process.cpuUsage().user - user;
    };
    const count = isLong ? 2000 : 800;
    timeOf(200);
    const few = timeOf(count / 4);
    expect(timeOf(count)).toBeLessThan(few * 12);
  }, 120_000);
});

/** Schemas of Zod that need not make sense. */
const { schema: anySchema } = fc.letrec<{ schema: z.ZodType }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc
      .constantFrom<() => z.ZodType>(
        ...[() => z.string().min(1), () => z.uuid(), () => z.int(), z.date],
        ...[() => z.enum(["a", "b"]), () => z.literal("x"), z.any, z.null],
        ...[z.bigint, z.never, z.undefined, z.boolean, z.email, z.void],
        ...[() => z.number().gt(1), () => z.iso.datetime(), () => z.url()],
        ...[() => z.literal([1, null, "a"]), () => z.string().startsWith("a")],
      )
      .map((create) => create()),
    fc
      .dictionary(
        fc.constantFrom(..."id type items a-b __proto__ data 1".split(" ")),
        tie("schema"),
        { maxKeys: 3 },
      )
      .map((shape) => z.object(shape)),
    tie("schema").map((inner) => z.array(inner).max(3)),
    tie("schema").map((inner) => inner.optional()),
    tie("schema").map((inner) => inner.nullable()),
    tie("schema").map((inner) => inner.describe("Some *text* # of `a` field")),
    tie("schema").map((inner) => inner.meta({ title: "Named" })),
    tie("schema").map((inner) => inner.transform(String)),
    tie("schema").map((inner) => z.record(z.string(), inner)),
    tie("schema").map((inner) => z.strictObject({ inner }).partial()),
    fc
      .tuple(tie("schema"), tie("schema"))
      .map(([one, two]) => z.union([one, two])),
    fc
      .tuple(tie("schema"), tie("schema"))
      .map(([one, two]) => z.intersection(one, two)),
    fc
      .tuple(tie("schema"), tie("schema"))
      .map(([one, two]) => z.tuple([one, two])),
    fc
      .tuple(tie("schema"), tie("schema"))
      .map(([a, b]) =>
        z.discriminatedUnion("kind", [
          z.object({ kind: z.literal("a"), a }),
          z.object({ kind: z.literal("b"), b }),
        ]),
      ),
  ),
}));

test("random routers become RIDL without errors", () => {
  const names = fc.constantFrom(..."a A b get-a list struct".split(" "));
  fc.assert(
    fc.property(
      fc.dictionary(
        names,
        fc.record({
          input: fc.option(anySchema),
          output: fc.option(anySchema),
        }),
        { minKeys: 1 },
      ),
      (all) => {
        const procedures = Object.entries(all).map(([name, parsers]) => {
          const { input, output } = parsers;
          const withInput = input ? t.procedure.input(input) : t.procedure;
          const whole = output ? withInput.output(output) : withInput;
          return [name, whole.mutation(() => null as never)];
        });
        const router = t.router(Object.fromEntries(procedures));
        ridlOf(t.router({ inner: router, list: t.router({ ping }) }));
      },
    ),
    { numRuns: 300 },
  );
}, 120_000);
