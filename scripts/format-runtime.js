// Formats runtime/typescript/dist like the sources, and removes declarations that no export
// reaches. Projects with `language: javascript` and `runtime: copy` get the rest
// among their own files.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "prettier";
import { publishedDeclarations } from "./published-declarations.js";

const runtime = fileURLToPath(
  new URL("../runtime/typescript", import.meta.url),
);
const folder = join(runtime, "dist");
const { exports } = JSON.parse(
  readFileSync(join(runtime, "package.json"), "utf8"),
);
const published = publishedDeclarations(
  Object.values(exports)
    .filter((path) => path.endsWith(".js"))
    .map((path) => join(runtime, path.replace(/\.js$/, ".d.ts"))),
);
for (const name of readdirSync(folder, { recursive: true })) {
  if (!/\.[jt]s$/.test(name)) continue;
  const path = join(folder, name);
  if (name.endsWith(".d.ts") && !published.has(path)) {
    rmSync(path);
    continue;
  }
  // The compiler removes empty lines, and breaks every object type into lines.
  const spaced = readFileSync(path, "utf8").replace(
    /(?<=[;}])\n(?=\/\*\*)/gu,
    "\n\n",
  );
  const text = name.endsWith(".js")
    ? // The declarations document exports and their members, and the sources the rest.
      spaced.replace(
        /^(?: {4})?\/\*\*(?:(?!\*\/)[^])*\*\/\n(?=export |(?:async )?function| {4})/gmu,
        "",
      )
    : spaced;
  writeFileSync(
    path,
    await format(text, { filepath: path, objectWrap: "collapse" }),
  );
}
