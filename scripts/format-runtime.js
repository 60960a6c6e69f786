// Formats runtime/typescript/dist like the sources, and removes declarations that no export
// reaches. Projects with `language: javascript` and `runtime: copy` get the rest
// among their own files.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "prettier";

const runtime = fileURLToPath(
  new URL("../runtime/typescript", import.meta.url),
);
const folder = join(runtime, "dist");
const published = publishedDeclarations();
for (const name of readdirSync(folder, { recursive: true })) {
  if (!/\.[jt]s$/.test(name)) continue;
  const path = join(folder, name);
  if (name.endsWith(".d.ts") && !published.has(path)) {
    rmSync(path);
    continue;
  }
  // The compiler removes empty lines.
  const spaced = readFileSync(path, "utf8").replace(
    /(?<=[;}])\n(?=\/\*\*)/gu,
    "\n\n",
  );
  const text = name.endsWith(".js")
    ? // The declarations already document exports and their members.
      spaced.replace(
        /^(?: {4})?\/\*\*(?:(?!\*\/)[^])*\*\/\n(?=export | {4}(?!#))/gmu,
        "",
      )
    : spaced;
  writeFileSync(path, await format(text, { filepath: path }));
}

/** Returns the declarations that users of the package can see. */
function publishedDeclarations() {
  const { exports } = JSON.parse(
    readFileSync(join(runtime, "package.json"), "utf8"),
  );
  const entries = Object.values(exports).filter((path) => path.endsWith(".js"));
  const toPath = (base, specifier) =>
    join(base, specifier.replace(/\.js$/, ".d.ts"));
  const paths = new Set(entries.map((entry) => toPath(runtime, entry)));
  for (const path of paths) {
    for (const [, specifier] of readFileSync(path, "utf8").matchAll(
      /(?:from |import\()"(\.[^"]+)"/g,
    )) {
      paths.add(toPath(join(path, ".."), specifier));
    }
  }
  return paths;
}
