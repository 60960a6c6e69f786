// Writes each of ridlkit's template sets into a JSON file, and the files that
// `ridl migrate` adds to projects, because emitters and tools read no files. These
// files are not committed.
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
    const set = { name, texts: readTexts(name) };
    writeJson(join(out, `${name}-set.json`), set);
  }
  const migrate = join(root, "tools/migrate");
  const files = readFolder(join(migrate, "files"));
  writeJson(join(migrate, "change/files.json"), Object.fromEntries(files));
}

function writeJson(target, value) {
  const text = `${JSON.stringify(value, null, 2)}\n`;
  if (!existsSync(target) || readFileSync(target, "utf8") !== text) {
    writeFileSync(target, text);
  }
}

/** Where the output of a set has the runtime of its language. */
const runtimes = {
  go: "files/go/ridl",
  kotlin: "files/kotlin/ridl",
  python: "files/python/{package}",
  rust: "files/rust/src/ridl",
};

/** Reads the files of a set, and of its language's runtime, by their paths. */
function readTexts(set) {
  const folder = runtimes[set];
  return Object.fromEntries(
    [
      ...readFolder(join(root, "templates", set)),
      ...(folder ? readFolder(join(root, "runtime", set), `${folder}/`) : []),
    ].sort(([left], [right]) => (left < right ? -1 : 1)),
  );
}

function readFolder(folder, prefix = "") {
  return (
    readdirSync(folder, { recursive: true })
      .filter((path) => statSync(join(folder, path)).isFile())
      // Programs may have left files that they compiled.
      .filter((path) => !path.includes("__pycache__"))
      .map((path) => [
        prefix + path.replaceAll("\\", "/"),
        readFileSync(join(folder, path), "utf8").replaceAll("\r\n", "\n"),
      ])
  );
}

if (argv[1] === fileURLToPath(import.meta.url)) embedTemplates();
