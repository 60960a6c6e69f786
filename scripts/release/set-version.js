import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dateChanges } from "./changelog.js";
import { versionPattern } from "./find-faults.js";

/**
 * Sets the version of both packages, and that of the runtime wherever the
 * repository depends on it, and dates the unreleased changes. Output: what is
 * wrong, in which case nothing is written, or null.
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
  for (const folder of [".", ...workspaces]) {
    const path = join(root, folder, "package.json");
    const data = readJson(path);
    if (data.private !== true) data.version = version;
    if (data.dependencies?.["@ridlkit/runtime"] !== undefined) {
      data.dependencies["@ridlkit/runtime"] = version;
    }
    writeFileSync(path, `${JSON.stringify(data, null, 2)}\n`);
  }
  writeFileSync(changelog, dated);
  return null;
}

const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));
