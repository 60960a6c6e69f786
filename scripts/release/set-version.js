import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeAvailable } from "./availability.js";
import { dateChanges } from "./changelog.js";
import { versionPattern } from "./find-faults.js";

/**
 * Sets the version of both packages, of what editors install, and of all
 * dependencies on the runtime in the repository, and dates the unreleased changes. Returns null, or an error
 * message, in which case nothing is written.
 */
export function setVersion(root, version, date) {
  if (!versionPattern.test(version)) {
    return `${version} is not a version such as 1.2.3`;
  }
  const changelog = join(root, "CHANGELOG.md");
  const dated = dateChanges(
    readFileSync(changelog, "utf8"),
    version,
    date.toISOString().slice(0, 10),
  );
  if (dated === null) return "CHANGELOG.md lists no unreleased changes";
  const { workspaces } = readJson(join(root, "package.json"));
  const lock = readJson(join(root, "package-lock.json"));
  lock.version = version;
  for (const folder of ["", ...workspaces]) {
    const path = join(root, folder, "package.json");
    const manifest = readJson(path);
    for (const data of [manifest, lock.packages[folder]]) {
      if (manifest.private !== true) data.version = version;
      for (const list of [data.dependencies, data.devDependencies]) {
        if (list?.["@ridlkit/runtime"]) list["@ridlkit/runtime"] = version;
      }
    }
    writeJson(path, manifest);
  }
  writeJson(join(root, "package-lock.json"), lock);
  for (const folder of [
    "apps/editors/vscode",
    "apps/editors/tree-sitter-ridl",
  ]) {
    for (const name of ["package.json", "package-lock.json"]) {
      const path = join(root, folder, name);
      const manifest = readJson(path);
      manifest.version = version;
      if (manifest.packages) manifest.packages[""].version = version;
      writeJson(path, manifest);
    }
  }
  writeFileSync(changelog, dated);
  makeAvailable(root);
  return null;
}

const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));

const writeJson = (path, data) =>
  writeFileSync(path, `${JSON.stringify(data, null, 2)}\n`);
