import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** Returns the alternatives of a path such as `a/{b,c}`. */
function expand(path: string): readonly string[] {
  const [, start = "", list, end = ""] = /^(.*)\{(.*)\}(.*)$/u.exec(path) ?? [];
  if (list === undefined) return [path];
  return list.split(",").map((each) => start + each + end);
}

const pathsIn = (cell: string): readonly string[] =>
  [...cell.matchAll(/`([^`]+)`/gu)].flatMap(([, path = ""]) => expand(path));

const [, section = ""] =
  /^### Slow tests\n([^]*?)^## /mu.exec(
    readFileSync("CONTRIBUTING.md", "utf8"),
  ) ?? [];
const rows = [...section.matchAll(/^\| (`.+) \| (`.+) \|$/gmu)].map(
  ([, slow = "", daily = ""]) => ({
    slow: pathsIn(slow),
    daily: pathsIn(daily),
  }),
);

test("CONTRIBUTING.md lists each slow test with daily tests of the same area", () => {
  const isOurs = (path: string): boolean => !path.includes("node_modules");
  const onDisk = ["platform/test", "test"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".slow.ts") && isOurs(path))
      .map((path) => join(folder, path).replace(/\.slow\.ts$/u, "")),
  );
  expect(rows.flatMap(({ slow }) => slow).sort()).toEqual(onDisk.sort());
  for (const path of rows.flatMap(({ daily }) => daily)) {
    expect(existsSync(`${path}.test.ts`), path).toBe(true);
  }
});
