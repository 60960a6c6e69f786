import {
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OutputFile } from "../../generator/4-emit/emitter/emitter.js";
import { generateContract } from "../behavior/conformance/load-contract.js";
import { emitCase, goldenCases, readTree } from "../support/golden-cases.js";
import { withChecks } from "../support/with-checks.js";
import { runTsc } from "../support/run-tsc.js";
import { runtimePaths } from "../support/runtime-entries.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** All strict options that apply to generated code. */
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

const nodeNext = { module: "nodenext", moduleResolution: "nodenext" };
const bundler = {
  module: "esnext",
  moduleResolution: "bundler",
  allowImportingTsExtensions: true,
};

/** One output and whether Node can resolve its relative imports. */
interface Output {
  readonly name: string;
  readonly files: readonly OutputFile[];
  readonly isForNode: boolean;
}

/**
 * All golden cases, the code for `schema/`, and the contract with all types.
 */
const outputs: readonly Output[] = [
  ...goldenCases().map((golden) => ({
    name: golden.name,
    files: emitCase(golden),
    isForNode: golden.options.importExtension === ".js",
  })),
  { name: "schema", files: committed("generated"), isForNode: true },
  ...["console", "relaying"].map((name) => ({
    name,
    files: committed(`platform/${name}/generated`),
    isForNode: true,
  })),
  ...(
    [
      { int64: "number", timestamp: "string" },
      { int64: "bigint", timestamp: "date" },
    ] as const
  ).map((options) => ({
    name: `conformance-${options.int64}`,
    files: generateContract(
      join(root, "runtime/cases"),
      "conformance.ridl",
      options,
    ),
    isForNode: true,
  })),
];

function committed(path: string): readonly OutputFile[] {
  return [...readTree(join(root, path))].map(([name, text]) => ({
    path: name,
    text,
  }));
}

/**
 * Writes each output into a separate folder, and returns their parent folder.
 */
function writeOutputs(): string {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-compile-"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  // Packages other than the runtime that generated code may import.
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  for (const { name, files } of outputs) {
    for (const { path, text } of files) {
      const target = join(folder, name, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, withChecks(text));
    }
  }
  return folder;
}

/**
 * Compiles the output of all cases in one program, and returns the compiler's
 * errors.
 */
function compile(
  folder: string,
  compiler: string,
  options: object,
  include: readonly string[],
): string {
  const config = join(folder, `tsconfig.${compiler}.json`);
  const paths = runtimePaths();
  writeFileSync(
    config,
    JSON.stringify({
      compilerOptions: { ...strictest, ...options, paths },
      include,
    }),
  );
  return runTsc(config, compiler).stdout;
}

/** The module resolutions to test and the outputs that support each. */
const resolutions = {
  bundler: {
    options: bundler,
    include: outputs.map(({ name }) => `${name}/**/*.ts`),
  },
  nodenext: {
    options: nodeNext,
    include: outputs
      .filter(({ isForNode }) => isForNode)
      .map(({ name }) => `${name}/**/*.ts`),
  },
};

/**
 * Compiles all generated code with the module resolutions of bundlers and Node.
 *
 * Input: the compiler's package, settings that not all
 * versions support, and the resolutions to test.
 */
export function testCompiler(
  compiler: string,
  settings: object,
  resolvedFor: readonly (keyof typeof resolutions)[] = ["bundler", "nodenext"],
): void {
  let folder = "";
  beforeAll(() => {
    folder = writeOutputs();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  describe("generated code under the strictest options", () => {
    it.each(resolvedFor)(
      `compiles with ${compiler} and the resolution %s`,
      (resolution) => {
        const { include } = resolutions[resolution];
        const options = { ...resolutions[resolution].options, ...settings };
        expect(include.length).toBeGreaterThan(20);
        expect(compile(folder, compiler, options, include)).toBe("");
      },
      120_000,
    );

    if (settings !== optionsSince58 || !resolvedFor.includes("nodenext"))
      return;
    it(`compiles with ${compiler} and isolated declarations`, () => {
      const { include } = resolutions.nodenext;
      const options = { ...nodeNext, ...settings, ...isolated };
      const faults = compile(folder, compiler, options, include).split("\n");
      const ofGenerated = faults.filter((line) => !line.includes("runtime/"));
      expect(ofGenerated.join("\n")).toBe("");
    }, 120_000);
  });
}

const isolated = { declaration: true, isolatedDeclarations: true };

/** Options that require TypeScript 5.8 or later. */
export const optionsSince58 = { erasableSyntaxOnly: true };
