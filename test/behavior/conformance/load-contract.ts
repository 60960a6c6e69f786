import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin, type StdinOptions } from "esbuild";
import { emitContract } from "../../../generator/4-emit/emit.js";
import type {
  EmitOptions,
  OutputFile,
} from "../../../generator/4-emit/emitter/emitter.js";
import { emitters } from "../../../generator/4-emit/registry.js";
import { compileContract } from "../../../generator/compile.js";
import type { Contract } from "../../../generator/ir/contract.js";
import { runtimeEntries } from "../../support/runtime-entries.js";
import type { Exports } from "./conformance-server.js";

/** Settings that affect messages, or must not affect them. */
export type WireOptions = Pick<
  EmitOptions,
  "int64" | "timestamp" | "language" | "skew"
>;

/**
 * Reads documents in a folder.
 *
 * Errors: Error if a document has an error.
 */
export function readContract(
  folder: string,
  ...documents: readonly string[]
): Contract {
  const { value, diagnostics } = compileContract(documents, {
    read: (path) => {
      const file = join(folder, path);
      return existsSync(file) ? readFileSync(file, "utf8") : null;
    },
  });
  if (value === null) {
    throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  }
  return value;
}

/** Generates code from a document in a folder. Errors: see `readContract`. */
export function generateContract(
  folder: string,
  document: string,
  options: WireOptions,
): readonly OutputFile[] {
  return emitContract(
    readContract(folder, document),
    emitters,
    { ...options, runtime: "import", importExtension: ".js" },
    { runtimeSources: new Map() },
  );
}

/**
 * Bundles generated code with the runtime, and loads the client, the server,
 * the errors, and what other modules export.
 */
export async function loadGenerated(
  root: string,
  files: readonly OutputFile[],
  also: readonly string[] = [],
  change?: Change,
): Promise<Exports> {
  const modules = ["./index.js", "./server.js", ...also];
  const contents = modules.map((path) => `export * from "${path}";`);
  const program = { contents: contents.join("\n"), resolveDir: root };
  const text = await bundleGenerated(files, program, change);
  const folder = await mkdtemp(join(tmpdir(), "ridlkit-conformance-"));
  try {
    const bundle = join(folder, "bundle.mjs");
    await writeFile(bundle, text);
    return (await import(pathToFileURL(bundle).href)) as Exports;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Bundles a program with the runtime. The program can import generated files
 * that are not on disk, such as `./server.js`. Other packages are not included.
 */
export async function bundleGenerated(
  files: readonly OutputFile[],
  program: StdinOptions,
  change: Change = (_, text) => text,
): Promise<string> {
  const { outputFiles } = await build({
    stdin: program,
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    packages: "external",
    target: "node20",
    logLevel: "silent",
    plugins: [generatedFiles(files, change)],
  });
  return outputFiles[0]?.text ?? "";
}

/** Returns the text of a generated file or of a file of the runtime to bundle instead. */
export type Change = (path: string, text: string) => string;

/** Lets the bundler load files that are not on disk. */
function generatedFiles(files: readonly OutputFile[], change: Change): Plugin {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const sourceOf = (path: string): string =>
    texts.has(path) ? path : path.replace(/\.js$/, ".ts");
  return {
    name: "generated",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^@ridlkit\/runtime\// }, ({ path }) => ({
        path: runtimeEntries[path] ?? "",
      }));
      onResolve({ filter: /^\.\// }, ({ path, importer, namespace }) =>
        namespace === "generated" || importer === "<stdin>"
          ? { path: sourceOf(path.slice(2)), namespace: "generated" }
          : undefined,
      );
      onLoad({ filter: /.*/, namespace: "generated" }, ({ path }) => ({
        contents: change(path, texts.get(path) ?? ""),
        loader: path.endsWith(".ts") ? "ts" : "js",
      }));
      onLoad({ filter: /\/runtime\/typescript\/.*\.ts$/ }, ({ path }) => ({
        contents: change(path, readFileSync(path, "utf8")),
        loader: "ts",
      }));
    },
  };
}
