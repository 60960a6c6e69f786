import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { createNodeSystem } from "../../generator/cli/node/node-system.js";
import { main } from "../../generator/cli/main.js";
import { createSandbox } from "../cli/support/sandbox.js";
import { runtimePaths } from "../support/runtime-entries.js";

/** Compiles as a user would, with the generator's sources as the package. */
function typeCheck(root: string, file: string): string {
  const tsc = resolve("node_modules/typescript/bin/tsc");
  const config = {
    extends: resolve("tsconfig.json"),
    compilerOptions: {
      checkJs: true,
      typeRoots: [resolve("node_modules/@types")],
      paths: {
        ridlkit: [resolve("generator/index.ts")],
        ...runtimePaths(),
        "*": [resolve("node_modules/*"), resolve("node_modules/@types/*")],
      },
    },
    include: [join(root, file)],
  };
  const sandbox = createSandbox({ "tsconfig.json": JSON.stringify(config) });
  try {
    execFileSync(process.execPath, [tsc, "-p", sandbox.root]);
    return "";
  } catch (error) {
    return String(Reflect.get(Object(error), "stdout"));
  }
}

/** Faults in the files of a user; our own are checked elsewhere. */
function faultsIn(file: string, output: string): string[] {
  return output.split("\n").filter((line) => line.includes(file));
}

test("the example's output is what its emitter makes", async () => {
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

test("the example fits the types of the package", () => {
  const output = typeCheck(resolve("examples/emitter"), "*.js");
  expect(faultsIn("examples/emitter", output)).toEqual([]);
  // The types are really there: a method that does not exist is found.
  const text = readFileSync("examples/emitter/routes.js", "utf8");
  const sandbox = createSandbox({
    "odd.js": text.replace("service.methods", "service.operations"),
  });
  expect(faultsIn("odd.js", typeCheck(sandbox.root, "odd.js"))).not.toEqual([]);
});

/** Blocks of docs/emitters.md by the file that each is. */
function readBlocks(): Record<string, string> {
  const page = readFileSync("docs/emitters.md", "utf8");
  const blocks = page.matchAll(/^```\w+ (\S+)\n([^]*?)^```$/gmu);
  return Object.fromEntries(
    [...blocks].map(([, path = "", text = ""]) => [path, text]),
  );
}

test("the project of docs/emitters.md generates", async () => {
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

test("the emitters and the program of docs/emitters.md compile", () => {
  const sandbox = createSandbox({
    ...readBlocks(),
    "package.json": '{ "type": "module" }',
  });
  for (const [folder, files] of [
    ["tools/", "tools/*.js"],
    ["program.ts", "program.ts"],
  ] as const) {
    expect(faultsIn(folder, typeCheck(sandbox.root, files))).toEqual([]);
  }
});
