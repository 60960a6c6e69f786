import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import getExePath from "../../node_modules/typescript/lib/getExePath.js";
import { installedPackage } from "./installed-package.js";

/**
 * The path of the native compiler. Running it directly avoids a process for its
 * `tsc.js`, which only starts the compiler.
 */
export const tscPath = getExePath();

/**
 * Compiles a project. Returns the compiler's exit status and output, with paths
 * relative to the project's folder.
 *
 * Input: the path of its tsconfig.json and the package of the compiler.
 */
export function runTsc(
  config: string,
  compiler = "typescript",
): { readonly status: number | null; readonly stdout: string } {
  const [program, ...first] =
    compiler === "typescript"
      ? // Several checkers would repeat some work, and other tests need the cores.
        ([tscPath, "--singleThreaded"] as const)
      : ([
          process.execPath,
          join(installedPackage(compiler), "lib/tsc.js"),
        ] as const);
  const { status, stdout } = spawnSync(program, [...first, "-p", config], {
    cwd: dirname(config),
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  return { status, stdout };
}
