import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emitCase, goldenCases } from "../support/golden-cases.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Everything that TypeScript can be strict about in generated code. */
const strictest = {
  target: "es2022",
  lib: ["es2022", "dom", "dom.iterable"],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  allowUnreachableCode: false,
  allowUnusedLabels: false,
  isolatedModules: true,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
  noEmit: true,
};

const since58 = { erasableSyntaxOnly: true };
const nodeNext = { module: "nodenext", moduleResolution: "nodenext" };
const bundler = {
  module: "esnext",
  moduleResolution: "bundler",
  allowImportingTsExtensions: true,
};

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "ridlkit-compile-"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  for (const golden of goldenCases()) {
    for (const { path, text } of emitCase(golden)) {
      const target = join(folder, golden.name, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text);
    }
  }
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Compiles the output of all cases in one program; its errors as text. */
function compile(
  compiler: string,
  options: object,
  include: readonly string[],
): string {
  const config = join(folder, `tsconfig.${compiler}.json`);
  const paths = { "ridlkit/runtime/*": [join(root, "runtime/*.ts")] };
  writeFileSync(
    config,
    JSON.stringify({
      compilerOptions: { ...strictest, ...options, paths },
      include,
    }),
  );
  const script = join(root, "node_modules", compiler, "lib/tsc.js");
  try {
    return execFileSync(process.execPath, [script, "-p", config], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch (error) {
    return String(Object(error).stdout);
  }
}

describe("generated code compiles under the strictest options", () => {
  const all = goldenCases().map(({ name }) => `${name}/**/*.ts`);
  const forNode = goldenCases()
    .filter(({ options }) => options.importExtension === ".js")
    .map(({ name }) => `${name}/**/*.ts`);

  it.each([
    ["typescript", { ...bundler, ...since58 }, all],
    ["typescript", { ...nodeNext, ...since58 }, forNode],
    ["typescript-5.9", { ...nodeNext, ...since58 }, forNode],
    ["typescript-5.4", bundler, all],
  ] as const)(
    "%s %o",
    (compiler, options, include) => {
      expect(include.length).toBeGreaterThan(0);
      expect(compile(compiler, options, include)).toBe("");
    },
    120_000,
  );
});
