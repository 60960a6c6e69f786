import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { createSandbox, type Sandbox } from "../cli/support/sandbox.js";
import { findFreePort } from "../../platform/process/programs/free-port.js";
import { installedPackage } from "../support/installed-package.js";
import { runTsc } from "../support/run-tsc.js";

/** A code block with its language, file, and text. */
export interface Block {
  readonly language: string;
  readonly path: string;
  readonly text: string;
}

/** File contents by path. */
type Files = Readonly<Record<string, string>>;

/**
 * Returns all code blocks on a page in order, or those below one of its headings,
 * such as `docs/errors.md#Bodies of errors`, up to the next one of the first two
 * levels.
 */
export function readBlocks(page: string): readonly Block[] {
  const [path = "", heading] = page.split("#");
  const text = readFileSync(path, "utf8");
  if (heading === undefined) return blocksIn(text);
  // Comments in code look like headings.
  const headings = [...text.matchAll(/^(`{3,})[^]*?^\1$|^##? (.+)$/gmu)].filter(
    ([, fence]) => fence === undefined,
  );
  const at = headings.findIndex(([, , title]) => title === heading);
  return blocksIn(text.slice(headings[at]?.index, headings[at + 1]?.index));
}

/** Returns all code blocks in a Markdown text in order. */
export function blocksIn(markdown: string): readonly Block[] {
  const fences = /^```(\w+)(?: (\S+))?\n([^]*?)^```$/gmu;
  return [...markdown.matchAll(fences)].map(
    ([, language = "", path = "", text = ""]) => ({ language, path, text }),
  );
}

/**
 * Returns the text of the only block on a page that {@link textAmong} finds.
 */
export function textOf(page: string, wanted: string): string {
  return textAmong(readBlocks(page), wanted, page);
}

/**
 * Returns the text of the only block with a path, or with a language and no
 * path.
 */
export function textAmong(
  blocks: readonly Block[],
  wanted: string,
  place: string,
): string {
  const [block, ...others] = blocks.filter(
    ({ language, path }) =>
      path === wanted || (path === "" && language === wanted),
  );
  expect(others).toEqual([]);
  return block?.text ?? expect.unreachable(`${place} has no ${wanted}`);
}

/** Compiler settings for the programs on the pages. */
const compilerOptions = {
  target: "es2022",
  module: "nodenext",
  jsx: "react-jsx",
  types: ["node"],
  outDir: "dist",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noUnusedLocals: true,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
};

/** Modules with types that the programs on the pages may import. */
export const linkedPackages = [
  "@hono/node-server",
  "@hono/standard-validator",
  "@hookform",
  "@modelcontextprotocol",
  "@opentelemetry",
  "@ridlkit/runtime",
  "@tanstack",
  "@trpc",
  "@types/express",
  "@types/node",
  "@types/react",
  "@types/react-dom",
  "express",
  "fastify",
  "hono",
  "msw",
  "react",
  "react-dom",
  "react-hook-form",
];

/**
 * Creates a folder with generated code. The contract must be in canonical
 * format.
 */
export async function generate(contract: Files): Promise<Sandbox> {
  const sandbox = createSandbox(contract);
  const paths = Object.keys(contract);
  const shown = paths.includes("ridl.config.yaml") ? [] : paths;
  for (const command of [["fmt", "--check"], ["generate"]]) {
    const result = await sandbox.run([...command, ...shown]);
    expect(result).toMatchObject({ exitCode: 0, stderr: "" });
  }
  return sandbox;
}

/**
 * Compiles programs next to generated code, with links to the packages that
 * they may import.
 */
export function compile(
  sandbox: Sandbox,
  programs: Files,
  changes: Partial<typeof compilerOptions> = {},
): void {
  expect(compileErrors(sandbox, programs, changes)).toBe("");
}

/**
 * Compiles programs like {@link compile}, and returns what the compiler prints.
 */
export function compileErrors(
  sandbox: Sandbox,
  programs: Files,
  changes: Partial<typeof compilerOptions> = {},
): string {
  sandbox.write({
    ...programs,
    "package.json": '{ "type": "module" }',
    "tsconfig.json": JSON.stringify({
      compilerOptions: { ...compilerOptions, ...changes },
    }),
  });
  linkPackages(join(sandbox.root, "node_modules"), linkedPackages);
  return runTsc(join(sandbox.root, "tsconfig.json")).stdout;
}

/** Links packages that this repository has installed into a `node_modules`. */
export function linkPackages(modules: string, names: readonly string[]): void {
  for (const name of names) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(installedPackage(name), join(modules, name));
  }
}

/**
 * Runs a program until it ends by itself, so nothing may keep it alive. Returns
 * what it prints.
 */
export function run({ root }: Sandbox, program: string): string {
  const options = { cwd: root, timeout: 60_000 };
  return execFileSync(process.execPath, [program], options).toString();
}

/** Compiles a page's server and client for a free port. */
export async function compileBoth(
  page: string,
  contract: string,
): Promise<{ readonly sandbox: Sandbox; readonly port: number }> {
  const sandbox = await generate({ [contract]: textOf(page, contract) });
  const port = await findFreePort();
  const textFor = (path: string): string =>
    textOf(page, path).replace("8080", String(port));
  compile(sandbox, {
    "server.ts": textFor("server.ts"),
    "client.ts": textFor("client.ts"),
  });
  return { sandbox, port };
}

/**
 * Compiles `server.ts` of a page, and runs it until the test ends. Returns its
 * port, which is a free one instead of 8080.
 */
export async function servePage(
  sandbox: Sandbox,
  page: string,
): Promise<number> {
  const server = textOf(page, "server.ts").replace("listen(8080)", "listen(0)");
  const announce = `http.on("listening", () => console.log(JSON.stringify(http.address())));\n`;
  compile(sandbox, { "server.ts": server + announce });
  const child = spawn(process.execPath, ["dist/server.js"], {
    cwd: sandbox.root,
  });
  onTestFinished(() => void child.kill());
  const [line] = await once(child.stdout, "data");
  const { port } = JSON.parse(String(line));
  return Number(port);
}
