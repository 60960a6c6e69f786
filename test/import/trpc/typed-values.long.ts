import { symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { initTRPC } from "@trpc/server";
import { expect, test } from "vitest";
import { compileContract } from "../../../generator/compile.js";
import { emitContract } from "../../../generator/4-emit/emit.js";
import { emitters } from "../../../generator/4-emit/registry.js";
import type { RpcServer } from "../../../runtime/typescript/server/server.js";
import { createSandbox } from "../../cli/support/sandbox.js";
import * as fc from "../../support/fast-check.js";
import { importEmitted } from "../../support/import-emitted.js";
import { exportedFunction } from "../../support/run-emitted.js";
import { importRouter } from "./import-router.js";

/** A type of TypeScript, what it uses, and two of its values. */
interface Sample {
  readonly type: string;
  readonly declared: string;
  readonly values: readonly [unknown, unknown];
}

function scalar(type: string, first: unknown, second: unknown): Sample {
  return { type, declared: "", values: [first, second] };
}

let names = 0;

/** Gives a type a name, as an interface or as an alias. */
function named({ declared, type, values }: Sample, isAlias: boolean): Sample {
  names += 1;
  const name = `Named${names}`;
  const isInterface = !isAlias && /^\{[^}]*\}$/u.test(type);
  const own = isInterface
    ? `interface ${name} ${type}`
    : `type ${name} = ${type};`;
  return { type: name, declared: `${declared}${own}\n`, values };
}

/** Creates an object, whose optional members only its first value has. */
function object(
  members: Readonly<Record<string, readonly [Sample, boolean]>>,
): Sample {
  const list = Object.entries(members);
  const fields = list.map(
    ([key, [{ type }, isOptional]]) =>
      `${JSON.stringify(key)}${isOptional ? "?" : ""}: ${type};`,
  );
  const pick = (index: 0 | 1): object =>
    Object.fromEntries(
      list.flatMap(([key, [{ values }, isOptional]]) =>
        isOptional && index === 1 ? [] : [[key, values[index]]],
      ),
    );
  return {
    type: `{ ${fields.join(" ")} }`,
    declared: list.map(([, [{ declared }]]) => declared).join(""),
    values: [pick(0), pick(1)],
  };
}

/** Wraps a type: `change` prints the new one. */
function wrap(
  { declared, type, values: [first, second] }: Sample,
  change: (type: string) => string,
  values: (first: unknown, second: unknown) => readonly [unknown, unknown],
): Sample {
  return { type: change(type), declared, values: values(first, second) };
}

function union(first: Sample, second: Sample): Sample {
  const one = object({
    kind: [scalar('"a"', "a", "a"), false],
    x: [first, false],
  });
  const two = object({
    kind: [scalar('"b"', "b", "b"), false],
    y: [second, false],
  });
  return {
    type: `(${one.type} | ${two.type})`,
    declared: one.declared + two.declared,
    values: [one.values[0], two.values[1]],
  };
}

/** A type that contains itself. */
function tree({ declared, type, values }: Sample): Sample {
  names += 1;
  const name = `Tree${names}`;
  const own = `interface ${name} { leaf: ${type}; nodes: ${name}[] }\n`;
  const leaf = { leaf: values[0], nodes: [] };
  const node = { leaf: values[1], nodes: [leaf, leaf] };
  return { type: name, declared: declared + own, values: [leaf, node] };
}

const keys = fc.constantFrom(..."a b c-d type items __proto__".split(" "));
const { sample: anySample } = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.constantFrom(
      scalar("string", "", "é"),
      scalar("number", 0.5, -1e300),
      scalar("boolean", true, false),
      scalar('("up" | "down")', "up", "down"),
      scalar("(1 | 2)", 1, 2),
      scalar("true", true, true),
      scalar("Date", new Date(0), new Date(1e12)),
      scalar("(string & { readonly __brand: 1 })", "x", "y"),
      scalar("unknown", [1], { a: null }),
      scalar("(string | number)", "x", 2),
      scalar("URL", new URL("https://a.example"), new URL("a:b")),
    ),
    fc
      .dictionary(keys, fc.tuple(tie("sample"), fc.boolean()), { maxKeys: 4 })
      .map(object),
    fc.tuple(tie("sample"), fc.boolean()).map((pair) => named(...pair)),
    tie("sample").map((each) =>
      wrap(
        each,
        (type) => `${type}[]`,
        (one, two) => [[], [one, two]],
      ),
    ),
    tie("sample").map((each) =>
      wrap(
        each,
        (type) => `Array<${type} | null>`,
        (one) => [[one], [null]],
      ),
    ),
    tie("sample").map((each) =>
      wrap(
        each,
        (type) => `(${type} | null)`,
        (one) => [one, null],
      ),
    ),
    tie("sample").map((each) =>
      wrap(
        each,
        (type) => `Record<string, ${type}>`,
        (one, two) => [{}, { x: one, "y z": two }],
      ),
    ),
    fc.tuple(tie("sample"), tie("sample")).map((pair) => union(...pair)),
    tie("sample").map(tree),
  ),
}));

/** Null and absence are the same in RIDL. */
function withoutNull(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNull);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) =>
      each === null ? [] : [[key, withoutNull(each)]],
    ),
  );
}

/** Finds the output that is the value of a method, or none if outputs are its parts. */
function outputOf(
  ridl: string,
  method: string,
  { values }: Sample,
): string | null {
  const line = new RegExp(`- ${method}\\(\\) => \\((\\w+)\\??: \\S+\\)$`, "mu");
  const [, name = null] = line.exec(ridl) ?? [];
  const isPart = values.some(
    (each) => name !== null && Object.hasOwn(Object(each), name),
  );
  return isPart ? null : name;
}

test("values have the types that procedures without a parser return", async () => {
  const samples = fc.sample(anySample, { numRuns: 300, seed: 7 });
  const sandbox = createSandbox({ "package.json": '{ "type": "module" }' });
  symlinkSync(
    resolve("node_modules"),
    join(sandbox.root, "node_modules"),
    "junction",
  );
  const lines = samples.map(
    ({ type }, index) =>
      `  call${index}: t.procedure.query(async (): Promise<${type}> => null as never),`,
  );
  const text = [
    'import { initTRPC } from "@trpc/server";',
    "const t = initTRPC.create();",
    ...samples.map(({ declared }) => declared),
    "export const router = t.router({",
    ...lines,
    "});",
  ].join("\n");
  const file = join(sandbox.root, "router.ts");
  writeFileSync(file, text);
  const t = initTRPC.create();
  const procedures = samples.map(
    (_, index) => [`call${index}`, t.procedure.query(() => 0)] as const,
  );
  const router = t.router(Object.fromEntries(procedures));
  const { documents } = importRouter({ router }, text, "a", file);
  const ridl = documents?.get("a.ridl") ?? "";
  const { value } = compileContract(["a.ridl"], { read: () => ridl });
  if (value === null) throw new Error("the contract has errors");
  const code = await importEmitted(
    emitContract(
      value,
      emitters,
      {
        int64: "number",
        timestamp: "string",
        runtime: "import",
        importExtension: ".js",
      },
      { runtimeSources: new Map() },
    ),
    ['export * from "/server.js";'],
  );
  const outputs = samples.map((each, index) =>
    outputOf(ridl, `Call${index}`, each),
  );
  let current: unknown = null;
  const handlers = Object.fromEntries(
    procedures.map(([name], index) => {
      const output = outputs[index] ?? null;
      return [name, () => (output === null ? current : { [output]: current })];
    }),
  );
  const create = exportedFunction(code, "createAppServer");
  const server = create({ handlers: { app: handlers } }) as Pick<
    RpcServer,
    "fetch"
  >;
  for (const [index, { type, values }] of samples.entries()) {
    for (const each of values) {
      current = JSON.parse(JSON.stringify(each));
      const url = `https://example.com/rpc/App/Call${index}`;
      const response = await server.fetch(
        new Request(url, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: "{}",
        }),
      );
      const result: unknown = JSON.parse(await response.text());
      const output = outputs[index] ?? null;
      const expected = output === null ? current : { [output]: current };
      expect([type, response.status, withoutNull(result)]).toEqual([
        type,
        200,
        withoutNull(expected),
      ]);
    }
  }
  expect(ridl.split(/\bany\b/u).length).toBeLessThan(
    ridl.split(/\n {2}- /u).length / 5,
  );
}, 120_000);

test("types beyond the limits become any with a note", () => {
  const declared = Array.from(
    { length: 400 },
    (_, index) => `interface N${index} { next?: N${index + 1} }`,
  );
  const text = [
    'import { initTRPC } from "@trpc/server";',
    "const t = initTRPC.create();",
    ...declared,
    "interface N400 { end: 1 }",
    "export const router = t.router({",
    "  deep: t.procedure.query((): N0 => ({})),",
    "  last: t.procedure.query((): N399 => ({})),",
    "});",
  ].join("\n");
  const sandbox = createSandbox({ "router.ts": text });
  const link = join(sandbox.root, "node_modules");
  symlinkSync(resolve("node_modules"), link, "junction");
  const t = initTRPC.create();
  const router = t.router({
    deep: t.procedure.query(() => 0),
    last: t.procedure.query(() => 0),
  });
  const file = join(sandbox.root, "router.ts");
  const { diagnostics, documents } = importRouter({ router }, text, "a", file);
  const found = diagnostics.filter(({ code }) => code === "import-value");
  expect(found.map(({ message }) => message)).toContain(
    "the type is too large for RIDL",
  );
  const ridl = documents?.get("a.ridl") ?? "";
  expect(ridl).toContain("- next?: any");
  expect(ridl).toContain("struct N400");
}, 120_000);
