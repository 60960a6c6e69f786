// Writes generator/4-emit/embedded-templates.ts from templates/, so that the
// emitters stay free of file access. With --check it writes nothing and fails
// when that file is out of date.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { format } from "prettier";

const root = fileURLToPath(new URL("../", import.meta.url));
const target = join(root, "generator/4-emit/embedded-templates.ts");

const names = readdirSync(join(root, "templates"), { recursive: true })
  .map((name) => name.split(sep).join("/"))
  .filter((name) => name.endsWith(".hbs"))
  .sort();

const entries = names.map((name) => {
  const text = readFileSync(join(root, "templates", name), "utf8");
  const lines = text.split("\n").map((line) => JSON.stringify(line));
  return `[${JSON.stringify(name)}, [${lines.join(",")}].join("\\n")]`;
});

const expected = await format(
  `// Written by scripts/embed-templates.js from templates/. Do not edit.

/** Text of every file of \`templates/\`, by its path inside it. */
export const embeddedTemplates: ReadonlyMap<string, string> = new Map([
${entries.join(",\n")}
]);
`,
  { filepath: target },
);

if (!process.argv.includes("--check")) {
  writeFileSync(target, expected);
} else if (readFileSync(target, "utf8") !== expected) {
  console.error(
    "generator/4-emit/embedded-templates.ts is out of date: run node scripts/embed-templates.js",
  );
  process.exitCode = 1;
}
