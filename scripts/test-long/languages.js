// Tests clients in other languages (test/behavior/). If a language or the
// packages that its tests need cannot be found, the script only prints a
// message.
//   npm run test:long -- languages                   tests all languages
//   npm run test:long -- languages python         tests only one language
//   npm run test:long -- languages python -t lint tests only one property
//   npm run test:long -- languages faults         plants faults in all languages
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { prepareGo } from "./prepare-go.js";
import { prepareKotlin } from "./prepare-kotlin.js";
import { preparePython } from "./prepare-python.js";
import { runPart } from "./run-part.js";

const work = "test/behavior/.work";

const run = (command, args, stdio = "inherit") =>
  spawnSync(command, args, { stdio }).status ?? 1;

/**
 * The languages. `prepare` installs what the tests need, and returns what is
 * missing or null.
 */
const languages = [
  { name: "typescript", prepare: () => null },
  {
    name: "python",
    prepare: preparePython,
  },
  {
    name: "kotlin",
    prepare: prepareKotlin,
  },
  {
    name: "rust",
    prepare() {
      const file = "test/behavior/rust/Cargo.toml";
      if (run("cargo", ["clippy", "--version"], "ignore") !== 0) {
        return "Cargo with clippy is not installed.";
      }
      return run("cargo", ["fetch", "--quiet", "--manifest-path", file]) === 0
        ? null
        : "crates.io is not reachable.";
    },
  },
  {
    name: "go",
    prepare() {
      const missing = prepareGo();
      if (missing !== null) return missing;
      const program = "honnef.co/go/tools/cmd/staticcheck@v0.8.2";
      const env = { ...process.env, GOBIN: resolve(work, "go") };
      const { status } = spawnSync("go", ["install", program], { env });
      // The tests of idempotency keys need a driver for PostgreSQL, and those of
      // streams run below middlewares.
      const modules = [
        "github.com/lib/pq@v1.10.9",
        "github.com/go-chi/chi/v5@v5.2.3",
        "github.com/gorilla/handlers@v1.5.2",
        "github.com/felixge/httpsnoop@v1.0.3",
      ];
      const download = ["mod", "download", ...modules];
      return status === 0 && run("go", download, "ignore") === 0
        ? null
        : "The Go module proxy is not reachable.";
    },
  },
];

const words = process.argv.slice(2);
const chosen = languages.filter(({ name }) => name === words[0]);
if (chosen.length > 0) words.shift();
// The start of the names of files. The others are flags of Vitest.
const files =
  words.length > 0 && !words[0].startsWith("-") ? words.shift() : "";
for (const { name, prepare } of chosen.length > 0 ? chosen : languages) {
  const missing = prepare();
  if (missing !== null) {
    console.log(`NOT RUN: tests of clients in ${name}. ${missing}`);
    continue;
  }
  const args = [
    `test/behavior/${name}/${files}`,
    "--passWithNoTests",
    ...words,
  ];
  process.exitCode ||= runPart("languages", args);
}
