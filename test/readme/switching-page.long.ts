import { mkdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { createSandbox } from "../cli/support/sandbox.js";
import { runTsc } from "../support/run-tsc.js";
import { readBlocks, run, textOf } from "./program.js";

const page = "docs/switching-from-webrpc.md";

const bundled = {
  lib: ["ES2020", "DOM", "DOM.Iterable"],
  module: "ESNext",
  moduleResolution: "bundler",
  allowImportingTsExtensions: true,
  isolatedModules: true,
  strict: true,
};

/** The options of `@tsconfig/strictest` in a project without ES modules. */
const strictest = {
  lib: ["ES2022", "DOM"],
  module: "NodeNext",
  strict: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noPropertyAccessFromIndexSignature: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  isolatedModules: true,
  esModuleInterop: true,
};

/**
 * Projects in the form of webrpc's example applications: their compiler
 * options, contract, and calls, and the responses of webrpc's Go server.
 */
const projects = {
  "a bundler and ES2020": {
    options: bundled,
    contract: `basepath = /

service Example
  @deprecated:"Use /ping instead."
  - Ping() => (ok: bool)
  - FindBooks(q: string) => (page: Page, books: []Book)
  - GetBook(bookID: uint64) => (book: Book)

error 1000 BookNotFound "Book not found" HTTP 400

enum Genre: uint32
  - NOVEL = 1

struct Book
  - ID: uint64
    + json = id
    + go.tag.db = id
  - title: string
    + json = TITLE
  - genre: Genre
  - meta: map<string,any>
  - shelf: uint64
    + json = -
  - addedAt?: timestamp
    + json = added_at

struct Page
  - num: uint32
`,
    responses: {
      "/Example/Ping": { body: '{"ok":true}' },
      "/Example/FindBooks": {
        body: '{"page":{"num":1},"books":[{"id":7,"TITLE":"Emma","genre":"","meta":null}]}',
      },
      "/Example/GetBook": {
        status: 400,
        body: '{"error":"BookNotFound","code":1000,"msg":"Book not found","cause":"unknown book 9","status":400}',
      },
    },
    calls: `const { books } = await api.findBooks({ q: "E" });
  print((await api.ping()).ok, books[0]?.id, books[0]?.TITLE, books[0]?.meta);
  await api.getBook({ bookID: 9 }).catch((error) => {
    print(error.code === WebrpcErrorCodes.BookNotFound, error.message, error.cause);
  });`,
    printed: [
      [true, 7, "Emma", {}],
      [true, "Book not found", "unknown book 9"],
    ],
  },
  "the strictest options and CommonJS": {
    options: strictest,
    contract: `basepath = /v1

service Example
  - Ping(counter?: bigint) => ()
  - GetPrice(bookId: uint64, factor: bigint) => (price: Price)

struct Price
  - total: bigint
  - parts: []bigint

error 1000 Unauthorized "Unauthorized" HTTP 401
`,
    responses: {
      "/v1/Example/Ping": { body: "{}" },
      "/v1/Example/GetPrice": {
        body: '{"price":{"total":"30","parts":["10","20"]}}',
      },
    },
    calls: `await api.ping({});
  const { price } = await api.getPrice({ bookId: 1, factor: 2n });
  print(price.total === 30n, price.parts[1] === 20n, WebrpcErrorCodes.Unauthorized);`,
    printed: [[true, true, 1000]],
  },
  "a stream": {
    options: { ...bundled, noUnusedLocals: true },
    contract: `basepath = /v1

service Example
  - Watch(name: string, after?: uint64) => stream (book: Book)

struct Book
  - id: uint64
  - addedAt: timestamp

error 100 EmptyName "Name is required." HTTP 400
`,
    responses: {
      "/v1/Example/Watch": {
        type: "application/x-ndjson",
        body: '\n{"book":{"id":0,"addedAt":"2026-11-22T11:01:08.512706216Z"}}\n{"webrpcError":{"error":"EmptyName","code":100,"msg":"Name is required.","status":400}}\n',
      },
    },
    calls: `let last: number | undefined = undefined;
  api.watch(
    { name: "Ada", after: last },
    {
      onOpen: () => print("open"),
      onMessage: ({ book }) => print((last = book.id), book.addedAt),
      onError: (error) => print(error.code === WebrpcErrorCodes.EmptyName),
    },
  );`,
    printed: [["open"], [0, "2026-11-22T11:01:08.512706216Z"], [true]],
  },
} as const;

/**
 * Prints a program for webrpc's client, whose requests are answered from a
 * table.
 */
function program(calls: string, responses: object): string {
  return `import { Example, WebrpcErrorCodes } from "./client.gen";

const responses: Record<string, { status?: number; type?: string; body: string }> =
  ${JSON.stringify(responses)};
const print = (...values: unknown[]) => console.log(JSON.stringify(values));
const api = new Example("https://example.com", async (input) => {
  const { pathname } = new URL(String(input));
  const { body, type, status } = responses[pathname] ?? { body: "", status: 404 };
  const headers = { "content-type": type ?? "application/json" };
  return new Response(body, { status: status ?? 200, headers });
});

async function main() {
  ${calls}
}
void main();
`;
}

test.for(Object.entries(projects))(
  "works in a project with %s",
  async ([, { options, contract, responses, calls, printed }]) => {
    const sandbox = createSandbox();
    const [diff] = readBlocks(page).filter(({ path }) => path === "app.ts");
    const [before = "", after = ""] = (diff?.text ?? "")
      .split("\n")
      .map((line) => line.slice(2));
    const webrpcApp = program(calls, responses);
    expect(webrpcApp).toContain(before);
    sandbox.write({
      "schema/api.ridl": `webrpc = v1\nname = example\nversion = v1.0.0\n${contract}`,
      "src/app.ts": webrpcApp.replace(before, after),
      "package.json": "{}",
      "tsconfig.json": JSON.stringify({
        compilerOptions: {
          target: "ES2022",
          types: [],
          skipLibCheck: true,
          noEmit: true,
          ...options,
        },
        include: ["src"],
      }),
    });
    const scope = join(sandbox.root, "node_modules/@ridlkit");
    mkdirSync(scope, { recursive: true });
    symlinkSync(resolve("runtime/typescript"), join(scope, "runtime"));

    const [ridl, ...args] = textOf(page, "sh").trim().split(" ").slice(1);
    expect(ridl).toBe("ridlkit");
    const generated = await sandbox.run(args);
    expect(generated).toMatchObject({ exitCode: 0 });
    expect(runTsc(join(sandbox.root, "tsconfig.json")).stdout).toBe("");
    await build({
      absWorkingDir: sandbox.root,
      entryPoints: ["src/app.ts"],
      outfile: "app.js",
      bundle: true,
      format: "esm",
      logLevel: "silent",
    });
    const lines = run(sandbox, "app.js").trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(printed);
  },
);
