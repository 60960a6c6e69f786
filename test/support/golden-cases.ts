import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { emitContract } from "../../generator/4-emit/emit.js";
import type {
  EmitOptions,
  OutputFile,
} from "../../generator/4-emit/emitter/emitter.js";
import { emitters } from "../../generator/4-emit/registry.js";
import { compileContract } from "../../generator/compile.js";
import type { Contract } from "../../generator/ir/contract.js";
import { builtContracts } from "./built-contracts.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const fixtures = join(root, "test/golden/fixtures");

/** A folder of `test/golden/fixtures`: input, options, `expected/`. */
export interface GoldenCase {
  readonly name: string;
  /** Folder with the expected files. */
  readonly expected: string;
  readonly options: EmitOptions;
  readonly contract: Contract;
}

const defaults: EmitOptions = {
  int64: "number",
  timestamp: "string",
  runtime: "import",
  importExtension: ".js",
};

/**
 * All cases. Input of one is its `*.ridl` files (`schema.ridl`, or those that
 * `entries` of its `options.json` names), or a contract made by hand for what
 * RIDL cannot say.
 */
export function goldenCases(): readonly GoldenCase[] {
  return readdirSync(fixtures).sort().map(readCase);
}

function readCase(name: string): GoldenCase {
  const folder = join(fixtures, name);
  const { entries = ["schema.ridl"], ...options } = readOptions(folder);
  return {
    name,
    expected: join(folder, "expected"),
    options: { ...defaults, ...options },
    contract: builtContracts[name] ?? readContract(folder, entries),
  };
}

interface CaseOptions extends Partial<EmitOptions> {
  readonly entries?: readonly string[];
}

function readOptions(folder: string): CaseOptions {
  const path = join(folder, "options.json");
  if (!existsSync(path)) return {};
  return JSON.parse(readFileSync(path, "utf8"));
}

function readContract(folder: string, entries: readonly string[]): Contract {
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

/** Everything that all emitters write for a case, the copied runtime too. */
export function emitCase({
  contract,
  options,
}: GoldenCase): readonly OutputFile[] {
  return emitContract(contract, emitters, options, {
    runtimeSources: readRuntime(options.language),
  });
}

/** A case with its code in JavaScript. */
export function inJavaScript(golden: GoldenCase): GoldenCase {
  const chosen = { language: "javascript", importExtension: ".js" } as const;
  return { ...golden, options: { ...golden.options, ...chosen } };
}

/** Text of the files of a folder, by their paths in it. */
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

/** Text of every file of the runtime, by its path inside it; built, if compiled. */
export function readRuntime(
  language: EmitOptions["language"] = "typescript",
): ReadonlyMap<string, string> {
  if (language === "javascript") return readTree(join(root, "runtime/dist"));
  const files = readTree(join(root, "runtime"));
  const isSource = (path: string): boolean =>
    /^(?!dist\/|node_modules\/).*\.ts$/u.test(path);
  return new Map([...files].filter(([path]) => isSource(path)));
}
