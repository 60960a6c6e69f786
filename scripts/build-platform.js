// Builds the platform into dist without type checks, which `npm run check`
// runs. This is much faster than the compiler. `--with-runtime` also builds the
// runtime, which the platform needs.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Finds the source files in a folder. */
function findPrograms(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((path) => join(folder, path))
    .filter((path) => /\.(?:ts|js)$/.test(path))
    .filter((path) => !/^\w+[\\/](?:dist|test|node_modules)[\\/]/.test(path))
    .filter((path) => !/^generated[\\/]explorer[\\/]/.test(path));
}

function transpile(folders, outbase, outdir) {
  return build({
    absWorkingDir: root,
    outdir,
    outbase,
    entryPoints: folders.flatMap(findPrograms),
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "warning",
  });
}

await transpile(["generated", "platform"], ".", "dist");
if (process.argv.includes("--with-runtime")) {
  await transpile(["runtime"], "runtime", "runtime/dist");
}
