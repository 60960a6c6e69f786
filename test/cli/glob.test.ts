import { describe, expect, test } from "vitest";
import { expandPattern } from "../../cli/project/glob.js";
import { toAbsolutePath } from "../../cli/system/paths.js";
import type { FolderEntry } from "../../cli/system/system.js";

const files = [
  "a.ridl",
  "ab.ridl",
  "notes.md",
  ".hidden.ridl",
  "schema/b.ridl",
  "schema/deep/c.ridl",
  "schema/deep/d.json",
  "schema/.git/e.ridl",
  "schema/node_modules/f.ridl",
  "odd/(x)[y]+.ridl",
];

/** A file system with `files` below `/root`. */
const host = {
  listFolder(path: string): readonly FolderEntry[] | null {
    const prefix = path === "/root" ? "" : `${path.slice("/root/".length)}/`;
    const below = files.filter((file) => file.startsWith(prefix));
    if (below.length === 0) return null;
    const names = new Set(
      below.map((file) => file.slice(prefix.length).split("/")[0] ?? ""),
    );
    return [...names].map((name) => ({
      name,
      isFolder: !files.includes(`${prefix}${name}`),
    }));
  },
};

const find = (pattern: string): readonly string[] =>
  expandPattern(pattern, toAbsolutePath("/root"), host).paths;

describe("expandPattern", () => {
  test.each([
    ["*.ridl", ["a.ridl", "ab.ridl"]],
    ["?.ridl", ["a.ridl"]],
    [".*.ridl", [".hidden.ridl"]],
    ["schema/*.ridl", ["schema/b.ridl"]],
    ["**/*.json", ["schema/deep/d.json"]],
    [
      "**/*.ridl",
      [
        "a.ridl",
        "ab.ridl",
        "odd/(x)[y]+.ridl",
        "schema/b.ridl",
        "schema/deep/c.ridl",
      ],
    ],
    ["schema/**/c.ridl", ["schema/deep/c.ridl"]],
    ["*/deep/*", ["schema/deep/c.ridl", "schema/deep/d.json"]],
    ["odd/(x)[y]*.ridl", ["odd/(x)[y]+.ridl"]],
    ["./schema/../a.ridl", ["a.ridl"]],
    ["missing.ridl", ["missing.ridl"]],
    ["missing/*.ridl", []],
    ["schema", ["schema/b.ridl", "schema/deep/c.ridl"]],
    ["*.txt", []],
  ])("%s", (pattern, expected) => {
    expect(find(pattern)).toEqual(expected);
  });

  test("`*` matches linked folders, and `**` does not", () => {
    // A folder that contains a link to itself.
    const linked = {
      listFolder: (path: string) =>
        path.endsWith(".ridl")
          ? null
          : [
              { name: "link", isFolder: false },
              { name: "a.ridl", isFolder: false },
            ],
    };
    const findLinked = (pattern: string): readonly string[] =>
      expandPattern(pattern, toAbsolutePath("/root"), linked).paths;
    expect(findLinked("*/*.ridl")).toEqual(["link/a.ridl"]);
    expect(findLinked("l*/*/a.ridl")).toEqual(["link/link/a.ridl"]);
    expect(findLinked("**/*.ridl")).toEqual(["a.ridl"]);
  });

  test("reports the folders that it has searched", () => {
    expect(
      expandPattern("schema/**/*.ridl", toAbsolutePath("/root"), host).folders,
    ).toEqual(["schema", "schema/deep"]);
  });

  test("lists each folder a few times at most for a pattern with many `**`", () => {
    let count = 0;
    const deep = {
      listFolder: (path: string) => {
        count += 1;
        const name = path.length < 60 ? "deep" : "a.ridl";
        return [{ name, isFolder: name === "deep" }];
      },
    };
    const pattern = "**/".repeat(8) + "*.ridl";
    const root = toAbsolutePath("/root");
    expect(expandPattern(pattern, root, deep).paths).toHaveLength(1);
    expect(count).toBeLessThan(300);
  });

  test("matches a pattern with many stars quickly", () => {
    const name = `${"a".repeat(60)}b`;
    const long = { listFolder: () => [{ name, isFolder: false }] };
    expect(
      expandPattern(`${"*a".repeat(12)}`, toAbsolutePath("/root"), long).paths,
    ).toEqual([]);
  });
});
