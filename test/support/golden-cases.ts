import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { emitContract } from "../../generator/4-emit/emit.js";
import type {
  EmitOptions,
  OutputFile,
} from "../../generator/4-emit/emitter/emitter.js";
import { deferredEmitters, emitters } from "../../generator/4-emit/registry.js";
import { compileContract } from "../../generator/compile.js";
import type { Contract } from "../../generator/ir/contract.js";
import { builtContracts } from "./built-contracts.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const fixtures = join(root, "test/golden/fixtures");

/** A folder in `test/golden/fixtures`, with its options and expected output. */
export interface GoldenCase {
  readonly name: string;
  /**
   * For a variant, the name of the case with the same input but different
   * options.
   */
  readonly base: string | null;
  /**
   * The folder with the expected files. A variant stores only the difference,
   * as text.
   */
  readonly expected: string;
  /** Matches the paths of the files to store. */
  readonly only: RegExp;
  readonly options: EmitOptions;
  readonly contract: Contract;
}

/** All targets. */
export const allEmitters = [
  ...emitters,
  ...(await Promise.all(Object.values(deferredEmitters).map((load) => load()))),
];

const defaults: EmitOptions = {
  int64: "number",
  timestamp: "string",
  runtime: "import",
  importExtension: ".js",
};

/**
 * Returns all cases. The input of a case is either its `*.ridl` files
 * (`schema.ridl`, or those that `entries` in its `options.json` names), the
 * input of its base case, or a contract in code if RIDL cannot express it.
 */
export function goldenCases(): readonly GoldenCase[] {
  return readdirSync(fixtures).sort().map(readCase);
}

function readCase(name: string): GoldenCase {
  const folder = join(fixtures, name);
  const { base = null, only = "", entries, ...options } = readOptions(folder);
  return {
    name,
    base,
    expected: join(folder, base === null ? "expected" : "expected.diff"),
    only: new RegExp(only, "u"),
    options: { ...defaults, ...options },
    // Created on demand, because most tests use only some of the cases.
    get contract() {
      return builtContracts[name] ?? readContract(join(fixtures, base ?? name));
    },
  };
}

interface CaseOptions extends Partial<EmitOptions> {
  readonly base?: string;
  readonly only?: string;
  readonly entries?: readonly string[];
}

function readOptions(folder: string): CaseOptions {
  const path = join(folder, "options.json");
  if (!existsSync(path)) return {};
  return JSON.parse(readFileSync(path, "utf8"));
}

/**
 * Contracts by folder. The variants of a case share its contract, as do all
 * test files of a process.
 */
const contracts = new Map<string, Contract>();

function readContract(folder: string): Contract {
  const contract = contracts.get(folder) ?? compileFolder(folder);
  contracts.set(folder, contract);
  return contract;
}

function compileFolder(folder: string): Contract {
  const { entries = ["schema.ridl"] } = readOptions(folder);
  const { value, diagnostics } = compileContract(entries, {
    read: (path) => readText(join(folder, path)),
  });
  if (value !== null) return value;
  const messages = diagnostics.map(({ message }) => message);
  throw new Error(`${folder}: ${messages.join("; ")}`);
}

function readText(path: string): string | null {
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}

/**
 * Returns the output of all emitters for a case, including the runtime if the
 * case copies it.
 */
export function emitCase({
  contract,
  options,
}: GoldenCase): readonly OutputFile[] {
  return emitContract(contract, allEmitters, options, {
    runtimeSources: readRuntime(options.language),
  });
}

/** Returns the same case with JavaScript as its language. */
export function inJavaScript(golden: GoldenCase): GoldenCase {
  const chosen = { language: "javascript", importExtension: ".js" } as const;
  return { ...golden, options: { ...golden.options, ...chosen } };
}

/** Reads the files of a folder by relative path. */
export function readTree(folder: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  if (!existsSync(folder)) return files;
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const relative = path.slice(folder.length + 1).replaceAll("\\", "/");
    files.set(relative, readFileSync(path, "utf8"));
  }
  return files;
}

type Language = NonNullable<EmitOptions["language"]>;

/** Emitting any case requires the runtime's files, so read them only once. */
const runtimes = new Map<Language, ReadonlyMap<string, string>>();

/**
 * Returns every file of the runtime by relative path: its sources, or for
 * JavaScript the built files.
 */
export function readRuntime(
  language: Language = "typescript",
): ReadonlyMap<string, string> {
  const files = runtimes.get(language) ?? readRuntimeFiles(language);
  runtimes.set(language, files);
  return files;
}

function readRuntimeFiles(language: Language): ReadonlyMap<string, string> {
  if (language === "javascript") return readTree(join(root, "runtime/dist"));
  const files = readTree(join(root, "runtime"));
  const isSource = (path: string): boolean =>
    /^(?!dist\/|node_modules\/).*\.ts$/u.test(path);
  return new Map([...files].filter(([path]) => isSource(path)));
}
