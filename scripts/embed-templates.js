// Writes each of ridlkit's template sets into a JSON file, because emitters read
// no files. These files are not committed.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const out = join(root, "generator/4-emit/templates/own");

/** Writes the files that are out of date. */
export function embedTemplates() {
  mkdirSync(out, { recursive: true });
  const names = readdirSync(join(root, "templates"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "init")
    .map(({ name }) => name);
  for (const name of names) {
    const target = join(out, `${name}-set.json`);
    const set = { name, texts: readTexts(name) };
    const text = `${JSON.stringify(set, null, 2)}\n`;
    if (!existsSync(target) || readFileSync(target, "utf8") !== text) {
      writeFileSync(target, text);
    }
  }
}

/** Reads the files of a set, by their paths. */
function readTexts(set) {
  const folder = join(root, "templates", set);
  return Object.fromEntries(
    readdirSync(folder, { recursive: true })
      .filter((path) => statSync(join(folder, path)).isFile())
      // Programs may have left files that they compiled.
      .filter((path) => !path.includes("__pycache__"))
      .map((path) => [
        path.replaceAll("\\", "/"),
        readFileSync(join(folder, path), "utf8").replaceAll("\r\n", "\n"),
      ])
      .sort(([left], [right]) => (left < right ? -1 : 1)),
  );
}

if (argv[1] === fileURLToPath(import.meta.url)) embedTemplates();
