import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "vitest";
import type { Sandbox } from "../cli/support/sandbox.js";

/** One fenced block: its language, the file that it is, and its text. */
export interface Block {
  readonly language: string;
  readonly path: string;
  readonly text: string;
}

/** All fenced blocks of a page, in its order. */
export function readBlocks(page: string): readonly Block[] {
  const fences = /^```(\w+)(?: (\S+))?\n([^]*?)^```$/gmu;
  return [...readFileSync(page, "utf8").matchAll(fences)].map(
    ([, language = "", path = "", text = ""]) => ({ language, path, text }),
  );
}

/** Settings that a program of the pages is compiled with. */
export const tsconfig = JSON.stringify({
  compilerOptions: {
    target: "es2022",
    module: "nodenext",
    types: ["node"],
    outDir: "dist",
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noUnusedLocals: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
  },
});

/** Compiles a sandbox in which ridlkit looks installed. */
export function compile(sandbox: Sandbox): void {
  const modules = join(sandbox.root, "node_modules");
  mkdirSync(join(modules, "@types"), { recursive: true });
  symlinkSync(resolve("."), join(modules, "ridlkit"));
  const types = "node_modules/@types/node";
  symlinkSync(resolve(types), join(sandbox.root, types));
  const compiler = resolve("node_modules/typescript-5.9/bin/tsc");
  const cwd = sandbox.root;
  const { stdout } = spawnSync(process.execPath, [compiler], { cwd });
  expect(stdout.toString()).toBe("");
}
