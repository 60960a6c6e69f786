import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Compiles a project. Input: the path of its tsconfig.json, and the package of
 * the compiler. Output: what it prints, with paths from the project's folder.
 */
export function runTsc(
  config: string,
  compiler = "typescript",
): { readonly status: number | null; readonly stdout: string } {
  const path = `../../node_modules/${compiler}/lib/tsc.js`;
  const script = fileURLToPath(new URL(path, import.meta.url));
  // Several checkers repeat some of their work, and other tests have the cores.
  const threads = compiler === "typescript" ? ["--singleThreaded"] : [];
  const { status, stdout } = spawnSync(
    process.execPath,
    [script, "-p", config, ...threads],
    { cwd: dirname(config), encoding: "utf8", maxBuffer: 2 ** 28 },
  );
  return { status, stdout };
}
