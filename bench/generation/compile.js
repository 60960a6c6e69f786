import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProcess } from "../harness/run-process.js";

const compiler = fileURLToPath(
  new URL("../node_modules/typescript/bin/tsc", import.meta.url),
);

/**
 * Compiles the output of a tool with strict TypeScript, without writing
 * anything.
 *
 * Input: the workspace, patterns of its files, and whether declaration files
 * (`.d.ts`) are checked, too, including those of packages but not TypeScript's
 * own library.
 * Returns the cost. Errors: throws if the compiler finds an error.
 */
export function compile(folder, include, checksDeclarations = false) {
  const name = include[0].split("/")[0];
  const config = join(folder, `tsconfig-${name}.json`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    config,
    JSON.stringify({
      compilerOptions: {
        target: "es2022",
        lib: ["es2022", "dom", "dom.iterable"],
        module: "esnext",
        moduleResolution: "bundler",
        strict: true,
        skipLibCheck: !checksDeclarations,
        skipDefaultLibCheck: true,
        noEmit: true,
        types: [],
      },
      include,
    }),
  );
  return runProcess([process.execPath, compiler, "-p", config], folder);
}
