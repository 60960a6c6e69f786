import fc from "fast-check";
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../../cli/main.js";
import { createNodeSystem } from "../../cli/node/node-system.js";
import { createSandbox } from "../cli/support/sandbox.js";
import { installedPackage } from "../support/installed-package.js";
import {
  admin,
  compile,
  createHandlerProject,
  implement,
  isWithin,
  shop,
} from "./handler-project.js";
import { printHandler, type HandlerForm } from "./print-handler.js";

test.each(["tsconfig.platform.json", "tsconfig.examples.json"])(
  "changes nothing in the handlers of %s",
  async (tsconfig) => {
    const printed: string[] = [];
    const write = (text: string): number => printed.push(text);
    const output = { isTerminal: false, write };
    const system = createNodeSystem({
      workingFolder: resolve("."),
      stdout: output,
      stderr: output,
    });
    const args = ["implement", "--check", "--tsconfig", tsconfig];
    expect([await main(args, system), printed.join("")]).toEqual([
      0,
      "nothing changed\n",
    ]);
  },
);

describe("ridl implement", () => {
  const files = {
    "src/shop.ts": `import type { ShopHandler } from "../generated/server.js";
export const handler: Omit<ShopHandler, "watch"> = { ping() {} };
`,
  };
  const expected = ["getPrice", "order", "putBook"].map(
    (name) => `add \`${name}\` to src/shop.ts:2:52\n`,
  );

  test.each([
    ["TypeScript 5.4", { typescript: installedPackage("typescript-5.4") }],
    [
      "TypeScript 7 and ts-morph",
      {
        typescript: "node_modules/typescript",
        "ts-morph": "node_modules/ts-morph",
      },
    ],
  ])("works with %s", async (_, packages) => {
    const sandbox = await createHandlerProject(files, shop, packages);
    expect(await implement(sandbox)).toBe(expected.join(""));
    expect(compile(sandbox)).toBe("");
  });

  test.each([
    ["TypeScript 7 alone", "node_modules/typescript", "version 7 removed it"],
    ["no TypeScript", "", "which this project does not have"],
  ])("with %s, explains what to install", async (_, typescript, message) => {
    const sandbox = await createHandlerProject(files, shop, { typescript });
    const { exitCode, stderr } = await sandbox.run(["implement"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).toContain("npm install --save-dev ts-morph");
  });

  test("reads JavaScript, and projects that other projects reference", async () => {
    const sandbox = await createHandlerProject(
      {
        "src/shop.js": `import { createShopServer } from "../generated/server.js";
createShopServer({ handlers: { shop: {} } });
`,
        "tsconfig.all.json":
          '{ "files": [], "references": [{ "path": "./tsconfig.json" }] }',
      },
      shop,
    );
    const args = ["--tsconfig", "tsconfig.all.json"];
    expect(await implement(sandbox, ...args)).toContain("add `watch`");
    expect(compile(sandbox)).toBe("");
    expect(await implement(sandbox, ...args)).toBe("nothing changed\n");
  });

  test("uses the contract if generated code is outdated", async () => {
    const sandbox = await createHandlerProject(files, shop);
    sandbox.remove("generated");
    expect(await implement(sandbox)).toBe(expected.join(""));
    expect(sandbox.has("generated")).toBe(false);
  });

  test("writes the first files of a project", async () => {
    const sandbox = await createHandlerProject({}, shop);
    sandbox.remove("generated");
    const { exitCode, stderr } = await sandbox.run(["implement"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("create handlers with `--out <folder>`");
    expect(await implement(sandbox, "--out", "src")).toBe(
      "create src/shop.ts\n",
    );
    expect(await implement(sandbox)).toBe("nothing changed\n");
  });

  test("writes no handlers into the folder of generated code", async () => {
    const sandbox = await createHandlerProject({}, shop);
    const before = sandbox.snapshot("generated");
    const args = ["implement", "--out", "generated/handlers"];
    const { exitCode, stderr } = await sandbox.run(args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("`generated` is for generated code");
    expect(sandbox.snapshot("generated")).toEqual(before);
  });

  test("finds frozen handlers", async () => {
    const sandbox = await createHandlerProject(
      {
        "src/shop.ts": `import { createShopServer, type ShopHandler } from "../generated/server.js";
export const typed: Readonly<ShopHandler> = Object.freeze({ ping() {} });
const shop = Object.freeze({ ping() {} });
createShopServer({ handlers: { shop } });
`,
      },
      shop,
    );
    const printed = await implement(sandbox);
    expect(printed).toContain("add `order` to src/shop.ts:2:59\n");
    expect(printed).toContain("add `order` to src/shop.ts:3:28\n");
    expect(compile(sandbox)).toBe("");
  });

  test("writes readonly properties as readonly", async () => {
    const sandbox = await createHandlerProject(
      {
        "src/shop.ts": `import type { ShopHandler } from "../generated/server.js";
export class Shop implements ShopHandler {
  public readonly ping = async () => {};
}
`,
      },
      shop,
    );
    await implement(sandbox);
    expect(sandbox.read("src/shop.ts")).toContain(
      "  public readonly order = (_request: OrderRequest)",
    );
    expect(compile(sandbox)).toBe("");
  });

  test("rejects a rename if there is no method to rename", async () => {
    const sandbox = await createHandlerProject(files, shop);
    const args = ["implement", "--rename", "Old=Order"];
    const { exitCode, stderr } = await sandbox.run(args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("there is no handler that has `Old` but not");
  });

  test("renames a method even if another service still has it", async () => {
    const archive = "\nservice Archive\n  - FindPrice(isbn: string)\n";
    const sandbox = await createHandlerProject(
      {
        "src/shop.ts": `import type { ShopHandler } from "../generated/server.js";
export const handler: Pick<ShopHandler, "getPrice"> = { findPrice() {} };
`,
      },
      shop + archive,
    );
    const args = ["implement", "--rename", "FindPrice=GetPrice"];
    const { stdout } = await sandbox.run(args);
    expect(stdout).toBe(
      "rename `findPrice` to `getPrice` in src/shop.ts:2:55\n",
    );
  });

  test("changes nothing if a file has a merge conflict", async () => {
    const sandbox = await createHandlerProject(
      {
        ...files,
        "src/conflict.ts": `import type { ShopHandler } from "../generated/server.js";
export const handler: ShopHandler = {
<<<<<<< HEAD
  ping() {},
=======
  async ping() {},
>>>>>>> branch
};
`,
      },
      shop,
    );
    const before = sandbox.snapshot("src");
    const { exitCode, stderr } = await sandbox.run(["implement"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      "error[invalid-handler-file]: the file of a handler cannot be read: Merge conflict marker encountered.\n --> src/conflict.ts:3:1",
    );
    expect(sandbox.snapshot("src")).toEqual(before);
  });

  test("does not mistake code for members after a syntax error", async () => {
    const unclosed = `import type { ShopHandler } from "../generated/server.js";
export const handler: ShopHandler = {
  getPrice: () => ({ cents: 1 }),
  order: () => ({ id: 1 }),
  ping: () => ({}),
  async *watch() {},
  putBook: (book) => book,

const limit = 7;
`;
    const sandbox = await createHandlerProject(
      { ...files, "src/shop.ts": unclosed },
      shop,
    );
    const { exitCode, stderr } = await sandbox.run(["implement", "--check"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("error[invalid-handler-file]");
    expect(stderr).not.toContain("unknown-handler-method");
  });

  test("rejects a file that is not UTF-8", async () => {
    const sandbox = await createHandlerProject(files, shop);
    const { exitCode, stderr } = await sandbox.run(["implement"], {
      patch: (system) => ({
        readBytes: (path) =>
          path.endsWith("shop.ts")
            ? new Uint8Array([0xff, 0xfe])
            : system.readBytes(path),
      }),
    });
    expect(exitCode).toBe(1);
    expect(stderr).toContain("it is not UTF-8 text");
    expect(sandbox.read("src/shop.ts")).toBe(files["src/shop.ts"]);
  });

  test("reports services without handlers", async () => {
    const { exitCode, stderr } = await (
      await createHandlerProject(files, shop + admin)
    ).run(["implement", "--check"]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      "error[missing-handler]: service `Admin` of `shop.ridl` has no handler",
    );
  });

  test("reports a missing tsconfig.json", async () => {
    const sandbox = createSandbox({ "shop.ridl": shop });
    const { exitCode, stderr } = await sandbox.run(["implement", "shop.ridl"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("there is no `tsconfig.json`");
  });
});

const form: fc.Arbitrary<HandlerForm> = fc.record({
  lineBreak: fc.constantFrom("\n", "\r\n"),
  indent: fc.constantFrom("  ", "    ", "\t"),
  quote: fc.constantFrom('"', "'"),
  semicolon: fc.constantFrom(";", ""),
  kind: fc.constantFrom("annotated", "satisfies", "class", "argument", "loose"),
  methods: fc.subarray(["getPrice", "order", "ping", "putBook"]),
  isArrow: fc.boolean(),
  isOneLine: fc.boolean(),
  hasTrailingComma: fc.boolean(),
  hasBlankLines: fc.boolean(),
  hasByteOrderMark: fc.boolean(),
  hasFinalLineBreak: fc.boolean(),
  comments: fc.subarray(["head", "before", "after", "end"]),
});

test("inserts methods into handlers of any form", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(form, { minLength: 40, maxLength: 40 }),
      async (forms) => {
        const files = Object.fromEntries(
          forms.map((each, index) => [
            `src/handler-${index}.ts`,
            printHandler(each),
          ]),
        );
        const sandbox = await createHandlerProject(files, shop);
        await implement(sandbox);
        for (const [path, text] of Object.entries(files)) {
          const after = sandbox.read(path);
          expect(isWithin(text, after), path).toBe(true);
          const breaks = new Set(after.match(/\r?\n/gu));
          const before = new Set(text.match(/\r?\n/gu));
          expect(breaks, path).toEqual(before);
        }
        expect(compile(sandbox)).toBe("");
        expect(await implement(sandbox)).toBe("nothing changed\n");
      },
    ),
    { numRuns: 1 },
  );
});
