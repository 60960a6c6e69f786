import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect } from "vitest";
import { createSandbox, type Sandbox } from "../cli/support/sandbox.js";
import { installedPackage } from "../support/installed-package.js";
import { runTsc } from "../support/run-tsc.js";

/** A service with every kind of method. */
export const shop = `webrpc = v1
name = shop
version = v1.0.0

struct Book
  - isbn: string

service Shop
  - GetPrice(isbn: string) => (cents: uint32)
  - Order(isbn: string) => (id: uint32)
  - Ping()
  - Watch(isbn: string) => stream (cents: uint32)
  - PutBook(Book) => (Book)
`;

/** A second service of the same host. */
export const admin = `
service Admin
  - Stop()
  - GetStatistics(since: string, includingEverything: bool) => (count: uint32)
`;

const tsconfig = {
  compilerOptions: {
    target: "es2022",
    module: "nodenext",
    lib: ["es2022"],
    types: [],
    strict: true,
    noUnusedParameters: true,
    skipLibCheck: true,
    allowJs: true,
    checkJs: true,
    outDir: "dist",
  },
  include: ["src", "generated"],
};

/** The packages of a test project, with their locations, by name. */
const packages = {
  "@ridlkit/runtime": "runtime/typescript",
  "@types/node": "node_modules/@types/node",
  typescript: installedPackage("typescript-5.9"),
};

/**
 * Creates a project with generated code.
 *
 * Input: its handlers, its contract, and packages that replace the default
 * ones.
 */
export async function createHandlerProject(
  files: Readonly<Record<string, string>>,
  contract: string,
  others: Readonly<Record<string, string>> = {},
): Promise<Sandbox> {
  const sandbox = createSandbox({
    "shop.ridl": contract,
    "ridl.config.yaml": "schema: [shop.ridl]\n",
    "package.json": '{ "type": "module" }',
    "tsconfig.json": JSON.stringify(tsconfig),
    // Browser declarations take long to load, and handlers do not need them.
    "tsconfig.dom.json":
      '{ "extends": "./tsconfig.json", "compilerOptions": { "lib": ["es2022", "dom", "dom.iterable", "dom.asynciterable"] } }',
    ...files,
  });
  for (const [name, path] of Object.entries({ ...packages, ...others })) {
    const link = join(sandbox.root, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    if (path !== "") symlinkSync(resolve(path), link);
  }
  const generated = await sandbox.run(["generate"]);
  expect(generated).toMatchObject({ exitCode: 0 });
  return sandbox;
}

/** Runs `ridl implement`, and returns what it prints. */
export async function implement(
  sandbox: Sandbox,
  ...args: readonly string[]
): Promise<string> {
  const result = await sandbox.run(["implement", ...args]);
  expect(result).toMatchObject({ exitCode: 0, stderr: "" });
  return result.stdout;
}

/** Compiles a project, and returns the compiler's errors. */
export function compile({ root }: Sandbox): string {
  return runTsc(join(root, "tsconfig.dom.json")).stdout;
}

/** Runs a program in a project, and returns what it prints. */
export function runProgram({ root }: Sandbox, path: string): string {
  const options = { cwd: root, timeout: 60_000 };
  return execFileSync(process.execPath, [path], options).toString();
}

/**
 * Returns whether removing characters from `whole` can produce `part`. Ignores
 * spaces, because line breaks replace some of them.
 */
export function isWithin(part: string, whole: string): boolean {
  const wanted = part.replaceAll(" ", "");
  let index = 0;
  for (const character of whole) {
    if (character === wanted[index]) index += 1;
  }
  return index === wanted.length;
}
