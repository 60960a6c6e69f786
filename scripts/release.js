// Releases both packages, which always have the same version, and packs the
// extension for VS Code and the tree-sitter grammar, which are part of a release
// but not published.
//
//   npm run release                      checks and packs them, and publishes nothing
//   npm run release -- version 1.2.3     sets the version and dates the changelog
//   npm run release -- publish           publishes them; the release workflow does this
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findStale, measured } from "../bench/harness/sources.js";
import { installPackages } from "./test-long/install-packages.js";
import { findFaults } from "./release/find-faults.js";
import { pack } from "./release/pack.js";
import { setVersion } from "./release/set-version.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const released = "dist/release";
const out = join(root, released);
const [command = "check", version = "", ...rest] = process.argv.slice(2);

if (command === "version" && version !== "" && rest.length === 0) {
  prepare();
} else if (["check", "publish"].includes(command) && version === "") {
  await release(command === "publish");
} else {
  console.error("usage: npm run release [-- version <version> | publish]");
  process.exitCode = 2;
}

function prepare() {
  const fault = setVersion(root, version, new Date());
  if (fault !== null) {
    console.error(`error: ${fault}`);
    process.exitCode = 1;
    return;
  }
  run("npm run generate");
  console.log(`Review and commit this, then push the tag v${version}.`);
}

async function release(isPublishing) {
  const { faults, obstacles } = findFaults({
    cli: readJson("package.json"),
    runtime: readJson("runtime/typescript/package.json"),
    lock: readJson("package-lock.json"),
    changelog: readFileSync(join(root, "CHANGELOG.md"), "utf8"),
    environment: process.env,
    stale: await Promise.all(Object.keys(measured).map(findStaleReport)),
  });
  const errors = isPublishing ? [...faults, ...obstacles] : faults;
  for (const each of errors) console.error(`error: ${each}`);
  if (errors.length > 0) {
    process.exitCode = 1;
    return;
  }
  if (!installPackages("test")) process.exit(1);
  mkdirSync(out, { recursive: true });
  // The runtime first, because the command line creates projects that depend on
  // it.
  const tarballs = ["runtime/typescript", "."].map((folder) =>
    pack(root, folder, released),
  );
  for (const tarball of tarballs) {
    run(`publint --strict ${tarball.path}`);
    run(
      `node test/node_modules/@arethetypeswrong/cli/dist/index.js ${tarball.path} --profile esm-only --format table-flipped`,
    );
  }
  const { version } = pack(root, "apps/editors/tree-sitter-ridl", released);
  run("npm run vsix");
  const extension = `ridl-${version}.vsix`;
  copyFileSync(join(root, "dist", extension), join(out, extension));
  for (const tarball of tarballs) publish(tarball, isPublishing);
  if (isPublishing) return;
  for (const each of obstacles) console.log(`obstacle to publishing: ${each}`);
}

function findStaleReport(name) {
  const path = join(root, `bench/results/${name}.md`);
  return findStale(name, existsSync(path) ? readFileSync(path, "utf8") : "");
}

/** Publishes a tarball, unless an earlier run did. */
function publish({ name, version, path }, isPublishing) {
  const view = `npm view ${name}@${version} version`;
  if (spawnSync(view, { cwd: root, shell: true }).status === 0) {
    console.log(`${name}@${version} is already published`);
    return;
  }
  const tag = version.includes("-") ? "next" : "latest";
  run(
    `npm publish ./${path} --access public --provenance --tag ${tag}${isPublishing ? "" : " --dry-run"}`,
  );
}

/** Runs a command. A failure aborts the release. */
function run(command) {
  console.log(`> ${command}`);
  // npm puts node_modules/.bin into PATH for scripts.
  const options = { cwd: root, shell: true, stdio: "inherit" };
  const { status } = spawnSync(command, options);
  if (status !== 0) process.exit(status ?? 1);
}

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), "utf8"));
}
