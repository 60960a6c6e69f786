import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { setVersion } from "../../scripts/release/set-version.js";
import { createSandbox } from "../cli/support/sandbox.js";

const changelog = "# Changelog\n\n## Unreleased\n\n- Added it.\n";
const date = new Date("2027-01-31T12:00:00Z");

/**
 * Copies the repository's package.json and lock files, and adds a changelog.
 */
function copyManifests(changes = changelog) {
  const { workspaces } = JSON.parse(readFileSync("package.json", "utf8"));
  const paths = [
    "package-lock.json",
    ...[".", ...workspaces].map((each) => `${each}/package.json`),
    ...["vscode", "tree-sitter-ridl"].flatMap((each) => [
      `apps/editors/${each}/package.json`,
      `apps/editors/${each}/package-lock.json`,
    ]),
  ];
  const manifests = paths.map((path) => [path, readFileSync(path, "utf8")]);
  return createSandbox({
    ...Object.fromEntries(manifests),
    "CHANGELOG.md": changes,
  });
}

it("sets the version of both packages, and updates their dependents", () => {
  const sandbox = copyManifests();
  const before = sandbox.snapshot();
  expect(setVersion(sandbox.root, "7.8.9", date)).toBeNull();
  const changed = Object.entries(sandbox.snapshot()).flatMap(([path, text]) => {
    const old = before[path]?.split("\n");
    return text
      .split("\n")
      .flatMap((line, index) =>
        line === old?.[index] ? [] : [`${path}: ${line.trim()}`],
      );
  });
  expect(changed.filter((line) => !line.startsWith("CHANGELOG"))).toEqual([
    'apps/editors/tree-sitter-ridl/package-lock.json: "version": "7.8.9",',
    'apps/editors/tree-sitter-ridl/package-lock.json: "version": "7.8.9",',
    'apps/editors/tree-sitter-ridl/package.json: "version": "7.8.9",',
    'apps/editors/vscode/package-lock.json: "version": "7.8.9",',
    'apps/editors/vscode/package-lock.json: "version": "7.8.9",',
    'apps/editors/vscode/package.json: "version": "7.8.9",',
    'package-lock.json: "version": "7.8.9",',
    'package-lock.json: "version": "7.8.9",',
    'package-lock.json: "@ridlkit/runtime": "7.8.9",',
    'package-lock.json: "@ridlkit/runtime": "7.8.9",',
    'package-lock.json: "version": "7.8.9",',
    'package.json: "version": "7.8.9",',
    'platform/console/page/package.json: "@ridlkit/runtime": "7.8.9",',
    'platform/package.json: "@ridlkit/runtime": "7.8.9",',
    'runtime/typescript/package.json: "version": "7.8.9",',
  ]);
  expect(sandbox.read("CHANGELOG.md")).toBe(
    "# Changelog\n\n## Unreleased\n\n## 7.8.9 - 2027-01-31\n\n- Added it.\n",
  );
});

it.each([
  ["seven", changelog, "seven is not a version such as 1.2.3"],
  [
    "7.8.9",
    "# Changelog\n\n## Unreleased\n\n## 7.8.8 - 2027-01-30\n\n- Added it.\n",
    "CHANGELOG.md lists no unreleased changes",
  ],
])("writes nothing if it cannot release %s", (version, changes, fault) => {
  const sandbox = copyManifests(changes);
  const before = sandbox.snapshot();
  expect(setVersion(sandbox.root, version, date)).toBe(fault);
  expect(sandbox.snapshot()).toEqual(before);
});
