import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { createSandbox, type Sandbox } from "../../cli/support/sandbox.js";

const router = `import { initTRPC } from "@trpc/server";
import { z } from "zod";
import { names } from "./names.js";

const t = initTRPC.create();
export const appRouter = t.router({
  hello: t.procedure
    .input(z.object({ name: z.enum(names) }))
    .output(z.object({ text: z.string() }))
    .query(({ input }) => ({ text: input.name })),
});
`;
const ridl = `webrpc = v1
name = app
version = v0.0.1

enum Name: string
  - Ada
  - Alan

service App
  @readonly
  - Hello(name: Name) => (text: string)
`;
const manifest = { "package.json": '{ "type": "module" }\n' };

/** A project in which the packages of this repository are installed. */
function createProject(files: Readonly<Record<string, string>>): Sandbox {
  const sandbox = createSandbox({ ...manifest, ...files });
  const link = join(sandbox.root, "node_modules");
  symlinkSync(resolve("node_modules"), link, "junction");
  return sandbox;
}

describe("ridl import trpc", () => {
  test("reads a router in TypeScript with the project's esbuild", async () => {
    const sandbox = createProject({
      "src/router.ts": router,
      "src/names.ts":
        'enum Kind { One }\nexport const names = ["Ada", "Alan"] as const satisfies unknown[];\nexport const kind: Kind = Kind.One;\n',
    });
    const made = await sandbox.run(["import", "trpc", "src/router.ts"]);
    expect(made).toMatchObject({
      exitCode: 0,
      stdout:
        "wrote router.ridl\nwrote router.import.json\nwrote ridl.config.yaml\nnext: ridl generate\n",
    });
    expect(made.stderr).toContain("tRPC does not declare the errors");
    expect(made.stderr).toContain("--> src/router.ts:1:1");
    expect(sandbox.read("router.ridl")).toBe(ridl);
    expect(sandbox.has("src/.ridl-import-router.mjs")).toBe(false);
    for (const command of [["check"], ["fmt", "--check"]]) {
      const { exitCode } = await sandbox.run([...command, "router.ridl"]);
      expect(exitCode).toBe(0);
    }
  });

  test("bundles packages of the same repository, and finds their packages", async () => {
    const sandbox = createProject({
      "apps/api/router.ts": router.replace("./names.js", "@shop/names"),
      "packages/names/package.json":
        '{ "name": "@shop/names", "type": "module", "exports": "./index.ts" }',
      "packages/names/index.ts":
        'import { list } from "names-list";\nexport const names: string[] = list;\n',
      "packages/names/node_modules/names-list/package.json":
        '{ "name": "names-list", "exports": "./index.cjs" }',
      "packages/names/node_modules/names-list/index.cjs":
        'exports.list = ["Ada", "Alan"];\n',
    });
    const link = join(sandbox.root, "apps/api/node_modules/@shop/names");
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(sandbox.root, "packages/names"), link, "junction");
    const args = ["import", "trpc", "apps/api/router.ts"];
    const made = await sandbox.run(args);
    expect(made, made.stderr).toMatchObject({ exitCode: 0 });
    expect(sandbox.read("router.ridl")).toBe(ridl);
  });

  test("reads JavaScript, and one of several routers", async () => {
    const other = router
      .replace("appRouter", "otherRouter")
      .replace("hello", "bye");
    const sandbox = createProject({
      "names.js": 'export const names = ["Ada", "Alan"];\n',
      "a.js": router,
      "b.js": other,
      "all.js": 'export * from "./a.js";\nexport * from "./b.js";\n',
    });
    const several = await sandbox.run(["import", "trpc", "all.js"]);
    expect(several.exitCode).toBe(1);
    expect(several.stderr).toContain("several routers: `appRouter`, `other");
    const first = ["import", "trpc", "all.js", "--export", "appRouter"];
    expect(await sandbox.run(first)).toMatchObject({ exitCode: 0 });
    expect(sandbox.read("all.ridl")).toContain("service All");
    const second = ["import", "trpc", "all.js#otherRouter", "--out", "b.ridl"];
    expect(await sandbox.run(second)).toMatchObject({ exitCode: 0 });
    expect(sandbox.read("b.ridl")).toContain("- Bye(name: Name)");
  });

  test("explains modules that cannot be loaded", async () => {
    const sandbox = createProject({
      "throws.js": 'throw new TypeError("no database");\n',
      "broken.ts": "export const = 1;\n",
      "missing.js": 'import "./nothing.js";\n',
      "empty.js": "export const a = 1;\n",
      "shop.yaml": "openapi: 3.0.0\n",
    });
    const run = async (file: string, ...flags: readonly string[]) => {
      const args = ["import", "trpc", file, ...flags];
      const { exitCode, stderr } = await sandbox.run(args);
      return `${exitCode} ${stderr}`;
    };
    expect(await run("throws.js")).toContain(
      "1 error[import-document]: the module `throws.js` cannot be loaded",
    );
    expect(await run("throws.js")).toContain("= note: TypeError: no database");
    expect(await run("broken.ts")).toContain("the module `broken.ts` cannot");
    expect(await run("missing.js")).toContain("nothing.js");
    expect(await run("empty.js")).toContain("exports no router of tRPC");
    expect(await run("none.js")).toContain("2 error: `none.js` does not exist");
    const openapi = ["import", "openapi", "shop.yaml", "--export", "a"];
    expect(await sandbox.run(openapi)).toMatchObject({ exitCode: 2 });
  });

  test("needs a compiler for outputs without a parser", async () => {
    const text = router.replace(/\s+\.output.*/u, "");
    const sandbox = createProject({
      "router.ts": text,
      "names.ts": 'export const names = ["Ada", "Alan"] as const;\n',
    });
    const args = ["import", "trpc", "router.ts", "--force"];
    const without = await sandbox.run(args, {
      patch: (system) => ({
        loadPackage: (name, folder) =>
          /typescript|ts-morph/u.test(name)
            ? null
            : system.loadPackage(name, folder),
      }),
    });
    expect(without.exitCode).toBe(0);
    expect(without.stderr).toContain("the project has no compiler that reads");
    expect(sandbox.read("router.ridl")).toContain("=> (result: any)");
    const { exitCode, stderr } = await sandbox.run(args);
    expect([exitCode, stderr]).toEqual([
      0,
      expect.not.stringContaining("import-value"),
    ]);
    expect(sandbox.read("router.ridl")).toContain("=> (text: Name)");
  });

  test("asks for esbuild where nothing reads TypeScript", async () => {
    const sandbox = createSandbox({ ...manifest, "router.ts": router });
    const { exitCode, stderr } = await sandbox.run(
      ["import", "trpc", "router.ts"],
      {
        patch: () => ({
          importModule: () =>
            Promise.reject(
              Object.assign(new TypeError('Unknown file extension ".ts"'), {
                code: "ERR_UNKNOWN_FILE_EXTENSION",
              }),
            ),
        }),
      },
    );
    expect(exitCode).toBe(1);
    expect(stderr).toContain("npm install --save-dev esbuild");
  });

  test("fails with `--strict`, and prints notes for programs", async () => {
    const text = router.replace(/\s+\.output.*/u, "");
    const sandbox = createProject({
      "router.js": text,
      "names.js": 'export const names = ["Ada", "Alan"];\n',
    });
    const args = ["import", "trpc", "router.js", "--strict"];
    const strict = await sandbox.run([...args, "--format", "json"]);
    expect(strict.exitCode).toBe(1);
    expect(sandbox.has("router.ridl")).toBe(false);
    const found = JSON.parse(strict.stdout) as { diagnostics: object[] };
    expect(found.diagnostics).toContainEqual(
      expect.objectContaining({
        code: "import-value",
        severity: "error",
        message: "the output has no parser, so its type is not known",
        file: "router.js",
      }),
    );
  });
});
