import { beforeAll, describe, expect, test } from "vitest";
import { compileContract } from "../../../generator/compile.js";
import { emitContract } from "../../../generator/4-emit/emit.js";
import { emitters } from "../../../generator/4-emit/registry.js";
import type { RpcServer } from "../../../runtime/typescript/server/server.js";
import * as fc from "../../support/fast-check.js";
import { importEmitted } from "../../support/import-emitted.js";
import { exportedFunction } from "../../support/run-emitted.js";
import { libraryRouter } from "./cases/library/router.js";
import { importRouterFile } from "./import-router.js";

const file = `${import.meta.dirname}/cases/library/router.ts`;
const options = {
  int64: "number",
  timestamp: "string",
  runtime: "import",
  importExtension: ".js",
} as const;
const caller = libraryRouter.createCaller({});

type Payment = Parameters<typeof caller.book.pay>[0];

/** The handlers of the imported contract call the procedures of the router. */
const handlers = {
  app: {
    version: async () => ({ result: await caller.version() }),
    echo: async ({ input }: { input: string }) => {
      const result = await caller.echo(input);
      return result === null ? {} : { result };
    },
  },
  book: {
    byIsbn: async (input: { isbn: string }) => {
      const book = await caller.book.byIsbn(input);
      return book === null ? {} : { book };
    },
    list: (input: object) => caller.book.list(input),
    save: (input: Parameters<typeof caller.book.save>[0]) =>
      caller.book.save(input),
    rename: (input: { isbn: string; title: string }) =>
      caller.book.rename(input),
    remove: async (input: { isbns: string[] }) => {
      await caller.book.remove(input);
    },
    find: async ({ input }: { input: { text: string } }) => ({
      items: await caller.book.find(input),
    }),
    pay: async ({ input }: { input: Payment }) => ({
      result: await caller.book.pay(input),
    }),
    added: async function* () {},
  },
};

const author = { id: "8f3c1a52-6b0e-4d7a-9c21-5e4f7a8b9c0d", name: "Ada" };
const book = {
  isbn: "9780262510875",
  title: "SICP",
  genre: "essay",
  authors: [author],
  pages: 657,
  rating: 4.5,
  tags: ["lisp"],
  counts: { loans: 3 },
  shelf: { name: "A", parent: { name: "B" } },
  format: { kind: "paper", grams: 900 },
};
/** A valid input of each method, and whether it is the argument `input`. */
const samples = [
  { path: "book.save", input: book, isWhole: true },
  { path: "book.list", input: { limit: 3, genre: "novel" }, isWhole: true },
  { path: "book.byIsbn", input: { isbn: book.isbn }, isWhole: true },
  {
    path: "book.rename",
    input: { isbn: book.isbn, title: "Other" },
    isWhole: true,
  },
  { path: "book.remove", input: { isbns: [book.isbn] }, isWhole: true },
  { path: "book.find", input: { text: "a" }, isWhole: false },
  {
    path: "book.find",
    input: { author: author.id, exact: true },
    isWhole: false,
  },
  {
    path: "book.pay",
    input: { note: null, method: "card", token: "t" },
    isWhole: false,
  },
  {
    path: "book.pay",
    input: { note: "n", method: "invoice", email: "e" },
    isWhole: false,
  },
  { path: "echo", input: "abc", isWhole: false },
] as const;

/** In RIDL, null is an absent value of these fields. */
const optional: ReadonlySet<string> = new Set([
  ..."tags shelf parent limit cursor genre".split(" "),
]);

let server: Pick<RpcServer, "fetch"> | null = null;

async function call(path: string, body: unknown) {
  const names = path.split(".");
  const [service = "", method = ""] =
    names.length === 1 ? ["App", names[0]] : [names[0], names[1]];
  const pascal = (name: string): string =>
    name.charAt(0).toUpperCase() + name.slice(1);
  const url = `https://example.com/rpc/${pascal(service)}/${pascal(method)}`;
  const response = await server?.fetch(
    new Request(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  );
  const text = (await response?.text()) ?? "";
  return { status: response?.status, value: JSON.parse(text) as unknown };
}

async function callTrpc(path: string, input: unknown) {
  const [first = "", second] = path.split(".");
  const group: unknown = Reflect.get(caller, first);
  const method: unknown = second ? Reflect.get(Object(group), second) : group;
  try {
    if (typeof method !== "function") throw new Error(`no ${path}`);
    const value: unknown = await method(input);
    return { isValid: true, value };
  } catch (error) {
    const code = Reflect.get(Object(error), "code");
    if (code !== "BAD_REQUEST") throw error;
    return { isValid: false, value: null };
  }
}

/** Returns a copy of a value in which one place is another value. */
function mutate(
  value: unknown,
  picks: readonly number[],
  other: unknown,
): unknown {
  const [pick = 0, ...rest] = picks;
  const isNode = typeof value === "object" && value !== null;
  const keys = isNode ? Object.keys(value) : [];
  const key = keys[pick % (keys.length + 1)];
  if (!isNode || key === undefined) return other;
  const inner: unknown = Reflect.get(value, key);
  const isNull = other === null && optional.has(key);
  const changed = isNull ? undefined : mutate(inner, rest, other);
  if (Array.isArray(value)) return value.with(Number(key), changed ?? 0);
  return { ...value, [key]: changed };
}

describe("a contract that is imported from a router", () => {
  beforeAll(async () => {
    const { documents } = await importRouterFile(file, "library");
    const { value } = compileContract(["library.ridl"], {
      read: (path) => documents?.get(path) ?? null,
    });
    if (value === null) throw new Error("the contract has errors");
    const code = await importEmitted(
      emitContract(value, emitters, options, { runtimeSources: new Map() }),
      ['export * from "/server.js";'],
    );
    server = exportedFunction(code, "createAppServer")({ handlers }) as Pick<
      RpcServer,
      "fetch"
    >;
  });

  test("answers as the router does", async () => {
    for (const { path, input, isWhole } of samples) {
      const expected = await callTrpc(path, input);
      expect(expected.isValid).toBe(true);
      const { status, value } = await call(path, isWhole ? input : { input });
      expect([path, status]).toEqual([path, 200]);
      const values = Object.values(Object(value));
      const own: unknown = JSON.parse(JSON.stringify(expected.value ?? {}));
      expect([value, ...values]).toContainEqual(own);
    }
    expect((await call("version", {})).value).toEqual({ result: "1.0" });
    expect((await call("echo", { input: "null" })).value).toEqual({});
    const missing = { isbn: "9790000000000" };
    expect((await call("book.byIsbn", missing)).value).toEqual({});
  });

  test("accepts the inputs that the router accepts", async () => {
    const verdicts = { valid: 0, invalid: 0 };
    const other = fc.oneof(
      fc.constantFrom<unknown>(
        ...["", "a", "abcde", "9780262510875", "978026251087", author.id],
        ...["novel", "audio", "paper", "é".repeat(21), "x".repeat(41)],
        ...[null, true, 0, 1, -1, 5, 5.5, 100, 101, 2147483648, 1e300],
        ...[[], {}, [1], ["a"], [author, author], { name: "A" }, undefined],
        ...[
          { kind: "audio", seconds: 1 },
          { kind: "audio", grams: 1 },
        ],
        ...[
          { text: "a", extra: 1 },
          { author: "a", exact: true },
        ],
      ),
      fc.string({ maxLength: 6 }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
    );
    const picks = fc.array(fc.nat({ max: 11 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...samples),
        picks,
        other,
        async ({ path, input, isWhole }, picks, other) => {
          const mutated = { value: mutate(input, picks, other) };
          const { value: changed } = JSON.parse(JSON.stringify(mutated)) as {
            value?: unknown;
          };
          // The message of a method is always an object.
          const isObject = typeof changed === "object" && changed !== null;
          if (isWhole && (!isObject || Array.isArray(changed))) return;
          const { isValid } = await callTrpc(path, changed);
          const { status } = await call(
            path,
            isWhole ? changed : { input: changed },
          );
          verdicts[isValid ? "valid" : "invalid"] += 1;
          expect([status, changed]).toEqual([isValid ? 200 : 400, changed]);
        },
      ),
      { numRuns: 3000 },
    );
    expect(Math.min(...Object.values(verdicts))).toBeGreaterThan(10);
  });
});
