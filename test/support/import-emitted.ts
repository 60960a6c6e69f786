import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { build, type Plugin } from "esbuild";
import type { OutputFile } from "../../generator/4-emit/emitter/emitter.js";
import type { Exports } from "./run-emitted.js";
import { runtimeEntries } from "./runtime-entries.js";

/**
 * Bundles generated files that are not on disk with the runtime, and runs the
 * bundle.
 *
 * Input: the files in either language, and statements that export the required
 * values, such as `export * from "/index.js";`.
 */
export async function importEmitted(
  files: readonly OutputFile[],
  statements: readonly string[],
): Promise<Exports> {
  const { outputFiles } = await build({
    stdin: { contents: statements.join("\n"), resolveDir: "/" },
    bundle: true,
    write: false,
    format: "cjs",
    platform: "node",
    external: ["@tanstack/*"],
    plugins: [emitted(files)],
  });
  // Do not import the bundle from a file, because the engine would never
  // release the module.
  const module: { exports: Exports } = { exports: {} };
  const run = new Function("module", "require", outputFiles[0]?.text ?? "");
  run(module, createRequire(import.meta.url));
  return module.exports;
}

function emitted(files: readonly OutputFile[]): Plugin {
  const texts = new Map(files.map(({ path, text }) => [`/${path}`, text]));
  return {
    name: "emitted",
    setup({ onLoad, onResolve }) {
      onResolve({ filter: /^@ridlkit\/runtime\// }, ({ path }) => ({
        path: runtimeEntries[path] ?? "",
      }));
      onResolve({ filter: /^[./]/ }, ({ importer, path }) => {
        const from = path.startsWith("/") ? "/" : dirname(importer);
        const asked = join(from, path);
        const target = texts.has(asked)
          ? asked
          : asked.replace(/\.js$/u, ".ts");
        return texts.has(target)
          ? { path: target, namespace: "emitted" }
          : null;
      });
      onLoad({ filter: /.*/, namespace: "emitted" }, ({ path }) => ({
        contents: texts.get(path) ?? "",
        loader: path.endsWith(".ts") ? "ts" : "js",
      }));
    },
  };
}
