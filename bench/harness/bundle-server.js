import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { runProcess } from "./run-process.js";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Bundles a benchmark's server with the code that is generated for a contract.
 * Returns the path of the program.
 *
 * Input: the benchmark's name, the server's source, and the contract in RIDL.
 */
export async function bundleServer(name, source, ridl) {
  const folder = here(`../.work/${name}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.ridl`), ridl);
  const config = `schema:\n  - ${name}.ridl\nout: ridlkit\n`;
  writeFileSync(join(folder, "ridl.config.yaml"), config);
  const ridlkit = join(dirname(dirname(here("."))), "bin/ridl.js");
  runProcess([process.execPath, ridlkit, "generate"], folder);
  const outfile = join(folder, "server.mjs");
  const contents = readFileSync(source, "utf8");
  await build({
    // The program imports the generated code, which is TypeScript.
    stdin: { contents, resolveDir: folder, loader: "ts" },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
  });
  return outfile;
}
