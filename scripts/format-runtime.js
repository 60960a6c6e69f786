// Formats runtime/dist as the sources are: with `language: javascript` and
// `runtime: copy`, people get it among their own files.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { format } from "prettier";

const folder = fileURLToPath(new URL("../runtime/dist", import.meta.url));
for (const name of readdirSync(folder, { recursive: true })) {
  if (!/\.[jt]s$/.test(name)) continue;
  const path = `${folder}/${name}`;
  // The compiler leaves no empty lines.
  const spaced = readFileSync(path, "utf8").replace(
    /(?<=[;}])\n(?=\/\*\*)/gu,
    "\n\n",
  );
  // What the declarations say of exports and their members is not said twice.
  const text = name.endsWith(".js")
    ? spaced.replace(
        /^(?: {4})?\/\*\*(?:(?!\*\/)[^])*\*\/\n(?=export | {4}(?!#))/gmu,
        "",
      )
    : spaced;
  writeFileSync(path, await format(text, { filepath: path }));
}
