// Formats runtime/dist like the sources. Projects with `language: javascript`
// and `runtime: copy` get it among their own files.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { format } from "prettier";

const folder = fileURLToPath(new URL("../runtime/dist", import.meta.url));
for (const name of readdirSync(folder, { recursive: true })) {
  if (!/\.[jt]s$/.test(name)) continue;
  const path = `${folder}/${name}`;
  // The compiler removes empty lines.
  const spaced = readFileSync(path, "utf8").replace(
    /(?<=[;}])\n(?=\/\*\*)/gu,
    "\n\n",
  );
  // The declarations already document exports and their members.
  const text = name.endsWith(".js")
    ? spaced.replace(
        /^(?: {4})?\/\*\*(?:(?!\*\/)[^])*\*\/\n(?=export | {4}(?!#))/gmu,
        "",
      )
    : spaced;
  writeFileSync(path, await format(text, { filepath: path }));
}
