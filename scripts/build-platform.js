// Builds the platform into dist without type checks, which `npm run check`
// runs. This is much faster than the compiler. `--with-runtime` also builds the
// runtime, which the platform needs. Migrations in SQL, facts about networks and
// styles are copied. Of the tests, it builds only the load tests.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Finds the source files in a folder. */
function findPrograms(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((path) => /\.(?:ts|js|sql|css)$|-facts\.yaml$/.test(path))
    .filter((path) => !/^(?:dist|test(?!.load.))[\\/]/.test(path))
    .filter((path) => !/(?:^|[\\/])node_modules[\\/]/.test(path))
    .map((path) => join(folder, path))
    .filter((path) => !/^platform[\\/]console[\\/]page[\\/]/.test(path))
    .filter((path) => !/^generated[\\/]explorer[\\/]/.test(path));
}

function transpile(folders, outbase, outdir) {
  return build({
    absWorkingDir: root,
    outdir,
    outbase,
    entryPoints: folders.flatMap(findPrograms),
    loader: { ".css": "copy", ".sql": "copy", ".yaml": "copy" },
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "warning",
  });
}

await transpile(["generated", "platform"], ".", "dist");
// The platform runs all migrations in its folder, so remove those of another
// version.
const migrations = "platform/database/migrations";
for (const file of readdirSync(join(root, "dist", migrations))) {
  const isStale = !existsSync(join(root, migrations, file));
  if (file.endsWith(".sql") && isStale)
    rmSync(join(root, "dist", migrations, file));
}
if (process.argv.includes("--with-runtime")) {
  await transpile(
    ["runtime/typescript"],
    "runtime/typescript",
    "runtime/typescript/dist",
  );
}
