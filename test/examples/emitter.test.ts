import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { createNodeSystem } from "../../cli/node/node-system.js";
import { main } from "../../cli/main.js";
import { createSandbox } from "../cli/support/sandbox.js";
import { runTsc } from "../support/run-tsc.js";
import { runtimePaths } from "../support/runtime-entries.js";

/**
 * Compiles as a user would, with the generator's sources as the package.
 * Returns the errors in the user's files, because other tests check our own
 * files.
 */
function faultsIn(include: readonly string[]): string[] {
  const config = {
    extends: resolve("tsconfig.json"),
    compilerOptions: {
      checkJs: true,
      typeRoots: [resolve("node_modules/@types")],
      paths: {
        ridlkit: [resolve("cli/index.ts")],
        ...runtimePaths(),
        "*": [resolve("node_modules/*"), resolve("node_modules/@types/*")],
      },
    },
    include,
  };
  const { root } = createSandbox({ "tsconfig.json": JSON.stringify(config) });
  return runTsc(join(root, "tsconfig.json"))
    .stdout.split("\n")
    .filter(
      (line) =>
        /^\S*\.[jt]s\(/u.test(line) &&
        !/^\S*(?:generator|runtime)\//u.test(line),
    );
}

test("the example's output is up to date", async () => {
  const printed: string[] = [];
  const output = {
    isTerminal: false,
    write: (text: string) => void printed.push(text),
  };
  const system = createNodeSystem({
    workingFolder: resolve("examples/emitter"),
    stdout: output,
    stderr: output,
  });
  const exitCode = await main(["generate", "--check"], system);
  expect([exitCode, printed.join("")]).toEqual([0, "nothing changed\n"]);
});

/** Returns the code blocks of docs/emitters.md, by file name. */
function readBlocks(): Record<string, string> {
  const page = readFileSync("docs/emitters.md", "utf8");
  const blocks = page.matchAll(/^```\w+ (\S+)\n([^]*?)^```$/gmu);
  return Object.fromEntries(
    [...blocks].map(([, path = "", text = ""]) => [path, text]),
  );
}

test("ridl generates the project in docs/emitters.md", async () => {
  const shop = readFileSync("examples/emitter/shop.ridl", "utf8");
  const { "handlers.ts": printed, ...blocks } = readBlocks();
  const sandbox = createSandbox({ ...blocks, "shop.ridl": shop });
  const result = await sandbox.run(["generate"]);
  expect(result).toMatchObject({ exitCode: 0, stderr: "" });
  expect(sandbox.read("generated/method-names.txt")).toBe(
    "Shop.GetItem\nShop.ListItems\nShop.CountItems\n",
  );
  expect(sandbox.read("generated/handlers.ts")).toBe(printed);
  expect(sandbox.has("generated/client.ts")).toBe(true);
});

/** Runs the example for a contract with every kind of route. */
async function generateAllRoutes(): Promise<string> {
  const sandbox = createSandbox({
    "calls.js": readFileSync("examples/emitter/calls.js", "utf8"),
    "package.json": '{ "type": "module" }',
    "ridl.config.yaml": "schema: [all.ridl]\nemit: [./calls.js]\n",
    "all.ridl": `webrpc = v1
name = all
version = v1.0.0

service Items
  - Find(name: string) => (id: uint32)
  @get:"/items/{id}"
  - Get(id: uint32) => (name: string)

service Events
  @webhook
  - Added(id: uint32)
`,
  });
  const result = await sandbox.run(["generate"]);
  expect(result).toMatchObject({ exitCode: 0, stderr: "" });
  return sandbox.root;
}

test("the example and the code in docs/emitters.md compile", async () => {
  const page = createSandbox({
    ...readBlocks(),
    "package.json": '{ "type": "module" }',
  });
  // An unknown method must be an error. Otherwise, the types would be `any`.
  const text = readFileSync("examples/emitter/routes.js", "utf8");
  const odd = createSandbox({
    "odd.js": text.replace("service.methods", "service.operations"),
  });
  const faults = faultsIn([
    resolve("examples/emitter/*.js"),
    join(page.root, "tools/*.js"),
    join(page.root, "program.ts"),
    join(odd.root, "odd.js"),
    join(await generateAllRoutes(), "generated/*.ts"),
  ]);
  const isOdd = (line: string): boolean => line.includes("odd.js");
  expect(faults.filter((line) => !isOdd(line))).toEqual([]);
  expect(faults.filter(isOdd)).not.toEqual([]);
});
