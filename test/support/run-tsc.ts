import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Compiles a project.
 *
 * Input: the path of its tsconfig.json and the package of the compiler.
 *
 * Output: what the compiler prints, with paths relative to the project's
 * folder.
 */
export function runTsc(
  config: string,
  compiler = "typescript",
): { readonly status: number | null; readonly stdout: string } {
  const path = `../../node_modules/${compiler}/lib/tsc.js`;
  const script = fileURLToPath(new URL(path, import.meta.url));
  // Several checkers would repeat some work, and other tests need the cores.
  const threads = compiler === "typescript" ? ["--singleThreaded"] : [];
  const { status, stdout } = spawnSync(
    process.execPath,
    [script, "-p", config, ...threads],
    { cwd: dirname(config), encoding: "utf8", maxBuffer: 2 ** 28 },
  );
  return { status, stdout };
}
