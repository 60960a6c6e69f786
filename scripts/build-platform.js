// Puts the platform into dist, in a fraction of the time that the compiler takes:
// types are checked by `npm run check`. `--with-runtime` does the same to what it
// stands on, for who has not built that.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The programs in a folder. */
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
