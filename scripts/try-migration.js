// Migrates the calls of another project, and compares the project's own checks
// before and after. The project is a clean git working tree with installed
// packages. The script changes it; `git stash -u` restores it.
//
//   node scripts/try-migration.js <client> <folder> --document <file>
//     --code <folder> --types <command> --tests <command>
//     [--tsconfig <file>] [--extension .js]
//
// `--document` is an OpenAPI document and `--code` the folder with the calls,
// both in the folder of the project, in which both commands run.
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { stripVTControlCharacters, parseArgs } from "node:util";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    code: { type: "string" },
    document: { type: "string" },
    extension: { type: "string", default: "" },
    tests: { type: "string" },
    tsconfig: { type: "string" },
    types: { type: "string" },
  },
});
const [client, project] = positionals;
const { code, document, extension, tests, tsconfig, types } = values;
if (!client || !project || !code || !document || !tests || !types) {
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
const before = check();
const config = {
  schema: ["migrated.ridl"],
  out: join(code, "generated-client"),
  runtime: "copy",
  importExtension: extension,
};
rmSync(join(project, "migrated.ridl"), { force: true });
writeFileSync(join(project, "ridl.config.yaml"), JSON.stringify(config));
ridlOrExit("import", "openapi", document, "--out", "migrated.ridl");
ridlOrExit("generate");
const extra = tsconfig ? ["--tsconfig", tsconfig] : [];
const migrated = ridlOrExit("migrate", client, code, ...extra);
const [, done = "0", calls = "0"] =
  /migrated (\d+) of (\d+) calls/u.exec(migrated) ?? [];
const listed = [...migrated.matchAll(/^warning\[unmigrated-code\]/gmu)].length;
const after = check();

console.log(migrated);
console.log(
  after.errors.filter((line) => !before.errors.includes(line)).join("\n"),
);
console.log(`| calls | migrated | listed | type errors | tests before | tests after |
|---|---|---|---|---|---|
| ${calls} | ${done} | ${listed} | ${before.types} → ${after.types} | ${before.tests} | ${after.tests} |`);
