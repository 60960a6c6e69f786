// Writes ridlkit's templates into a JSON file, because emitters read no files.
// The file is not committed.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const target = join(root, "generator/4-emit/templates/own-texts.json");

/** Writes the file if it is out of date. */
export function embedTemplates() {
  const texts = Object.fromEntries(
    ["markdown", "package"].map((set) => [set, readTexts(set)]),
  );
  const text = `${JSON.stringify(texts, null, 2)}\n`;
  if (!existsSync(target) || readFileSync(target, "utf8") !== text) {
    writeFileSync(target, text);
  }
}

/** Reads the templates of a set, by their paths without the extension. */
function readTexts(set) {
  const folder = join(root, "templates", set);
  return Object.fromEntries(
    readdirSync(folder, { recursive: true })
      .filter((path) => path.endsWith(".hbs"))
      .map((path) => [
        path.replaceAll("\\", "/").replace(/\.hbs$/u, ""),
        readFileSync(join(folder, path), "utf8").replaceAll("\r\n", "\n"),
      ])
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  );
}

if (argv[1] === fileURLToPath(import.meta.url)) embedTemplates();
