// Migrates the calls of another project, and compares the project's own checks
// before and after. The project is a clean git working tree with installed
// packages. The script changes it; `git stash -u` restores it.
//
//   node scripts/try-migration.js <client> <folder> --document <file>…
//     --code <folder> --types <command> --tests <command>
//     [--tsconfig <file>] [--extension .js]
//
// `--document` is an OpenAPI document and `--code` the folder with the calls,
// both in the folder of the project, in which both commands run. Each document
// has a contract and a client of its own. If there are several, they share the
// runtime of this repository, which becomes a package of the project.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, parse, resolve } from "node:path";
import { stripVTControlCharacters, parseArgs } from "node:util";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    code: { type: "string" },
    document: { type: "string", multiple: true, default: [] },
    extension: { type: "string", default: "" },
    tests: { type: "string" },
    tsconfig: { type: "string" },
    types: { type: "string" },
  },
});
const [client, project] = positionals;
const { code, document: documents, extension, tests, tsconfig, types } = values;
if (!client || !project || !code || !documents[0] || !tests || !types) {
  console.error("usage: see the first lines of scripts/try-migration.js");
  process.exit(2);
}
const ridl = resolve("bin/ridl.js");

/** Runs a command in the project, and returns its output. */
function run(command, args, shell = false) {
  const { status, stderr, stdout } = spawnSync(command, args, {
    cwd: project,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1", CI: "1" },
    maxBuffer: 2 ** 28,
    shell,
  });
  return {
    status,
    output: stripVTControlCharacters(`${stdout ?? ""}${stderr ?? ""}`),
  };
}

function ridlOrExit(...args) {
  const { output, status } = run(process.execPath, [ridl, ...args]);
  if (status === 0) return output;
  console.error(output);
  process.exit(1);
}

/** Returns the number of type errors, and what the tests say of themselves. */
function check() {
  const compiled = run(types, [], true).output;
  const tested = run(tests, [], true);
  const [summary = `exit code ${tested.status}`] =
    /(?<=^\s*Tests:?\s+).*$/mu.exec(tested.output) ?? [];
  return {
    types: [...compiled.matchAll(/\berror TS\d+/gu)].length,
    errors: compiled.split("\n").filter((line) => line.includes("error TS")),
    tests: summary.replace(/\s*\(\d+\)$/u, ""),
  };
}

if (run("git", ["status", "--porcelain", "."]).output !== "") {
  console.error("the working tree of the project has changes");
  process.exit(2);
}
/** Imports a document, and returns the configuration of its client. */
function addContract(document, isOnly) {
  const { name } = parse(document);
  const config = `${name}.config.yaml`;
  const contract = `${name}.migrated.ridl`;
  const out = join(code, "generated-client", isOnly ? "" : name);
  const runtime = isOnly ? "copy" : "import";
  const options = { schema: [contract], out, runtime };
  rmSync(join(project, contract), { force: true });
  writeFileSync(
    join(project, config),
    JSON.stringify({ ...options, importExtension: extension }),
  );
  ridlOrExit("import", "openapi", document, "--out", contract);
  ridlOrExit("generate", "--config", config);
  return config;
}

function linkRuntime() {
  const link = join(project, "node_modules/@ridlkit/runtime");
  rmSync(link, { recursive: true, force: true });
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(resolve("runtime/typescript"), link);
}

/** Migrates the calls of one contract. Returns the command's output. */
function migrate(config) {
  const extra = tsconfig ? ["--tsconfig", tsconfig] : [];
  return ridlOrExit("migrate", client, code, "--config", config, ...extra);
}

/** Returns how many calls were migrated, and how many there are. */
function countCalls(output) {
  const [, done = "0", calls = "0"] =
    /migrated (\d+) of (\d+) calls/u.exec(output) ?? [];
  return { done: Number(done), calls: Number(calls) };
}

const before = check();
if (documents.length > 1) linkRuntime();
const outputs = documents
  .map((document) => addContract(document, documents.length === 1))
  .map(migrate);
const counts = outputs.map(countCalls);
const done = counts.reduce((sum, each) => sum + each.done, 0);
// The last run lists what all runs left.
const migrated = outputs.at(-1);
const listed = [...migrated.matchAll(/^warning\[unmigrated-code\]/gmu)].length;
const after = check();

console.log(migrated);
console.log(
  after.errors.filter((line) => !before.errors.includes(line)).join("\n"),
);
console.log(`| calls | migrated | listed | type errors | tests before | tests after |
|---|---|---|---|---|---|
| ${counts[0].calls} | ${done} | ${listed} | ${before.types} → ${after.types} | ${before.tests} | ${after.tests} |`);
