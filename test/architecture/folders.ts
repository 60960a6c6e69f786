import { readdirSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import {
  listScripts,
  readImports,
  readSourceFiles,
  root,
} from "./support/source-files.js";

const files = [
  "cli",
  "generator",
  "runtime",
  "tools",
  "platform",
  "platform/console/page",
].flatMap(readSourceFiles);

/** The other folders with code. Tests of the platform are in `platform/test`. */
const otherFiles = [
  ...[
    "apps",
    "bench",
    "bin",
    "docs",
    "examples",
    "schema",
    "scripts",
    "templates",
    "test/interop/tools",
  ],
].flatMap(readImports);

type Edge = readonly [from: string, to: string];

/** Finds folders that import each other or lie between such folders. */
function findCycles(edges: readonly Edge[]): readonly string[] {
  // A folder without remaining imports or importers is not part of a cycle.
  const left = edges.filter(
    ([from, to]) =>
      edges.some((each) => each[0] === to) &&
      edges.some((each) => each[1] === from),
  );
  return left.length < edges.length
    ? findCycles(left)
    : [...new Set(left.flat())].sort();
}

test("no folder is part of an import cycle, not even with its parent", () => {
  const edges = [...files, ...otherFiles].flatMap(({ path, imports }) =>
    imports.flatMap((each): Edge[] => {
      const [from, to] = [dirname(path), dirname(each.path ?? path)];
      return from === to ? [] : [[from, to]];
    }),
  );
  const keys = new Set(edges.map(([from, to]) => `${from} ${to}`));
  const found = findCycles(
    [...keys].map((key): Edge => {
      const [from = "", to = ""] = key.split(" ");
      return [from, to];
    }),
  );
  expect(found).toEqual([]);
});

test("every folder with code is checked", () => {
  const checked = new Set(
    [...files, ...otherFiles].map(({ path }) => path.split("/")[0]),
  );
  const folders = readdirSync(root, { withFileTypes: true })
    .filter(
      (each) =>
        each.isDirectory() &&
        !/^\.|^node_modules$|^dist$|^test$|^generated$/u.test(each.name),
    )
    .map(({ name }) => name)
    .filter((name) => listScripts(name).length > 0);
  expect(folders.filter((name) => !checked.has(name))).toEqual([]);
});

test("detects import cycles between folders", () => {
  expect(
    findCycles([
      ["a", "b"],
      ["b", "c"],
      ["c", "d"],
    ]),
  ).toEqual([]);
  const cycle: Edge[] = [
    ["a", "b"],
    ["b", "c"],
    ["c", "b"],
    ["c", "d"],
  ];
  expect(findCycles(cycle)).toEqual(["b", "c"]);
});

test("a folder has at most 25 files unless it contains rules or migrations", () => {
  const sizes = new Map<string, number>();
  for (const { path } of files) {
    const folder = dirname(path);
    sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
  }
  const large = [...sizes]
    .filter(([folder]) => !/\/(?:rules|migrations)$/u.test(folder))
    .filter(([, size]) => size > 25)
    .map(([folder]) => folder);
  expect(large).toEqual([]);
});
