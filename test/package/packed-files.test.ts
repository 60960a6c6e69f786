import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, test } from "vitest";
import { root } from "./packed.js";

const [packed]: readonly [{ files: readonly { path: string }[] }] = JSON.parse(
  execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: root,
    encoding: "utf8",
  }),
);
const paths = packed.files.map(({ path }) => path);

test("the package of the command line has at most 1,050 files", () => {
  expect(paths.length).toBeLessThanOrEqual(1050);
});

test.each([".", "runtime/typescript"])(
  "npm has no script of %s to warn about when it is installed",
  (folder) => {
    const text = readFileSync(join(root, folder, "package.json"), "utf8");
    expect(Object.keys(JSON.parse(text).scripts)).not.toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^(?:(?:pre|post)?install|prepare)$/u),
      ]),
    );
  },
);

test("its declarations import only packed declarations", () => {
  const declarations = paths.filter((path) => path.endsWith(".d.ts"));
  expect(declarations).toContain("dist/cli/index.d.ts");
  const missing = declarations.flatMap((path) =>
    [
      ...readFileSync(join(root, path), "utf8").matchAll(
        /(?:from |import\()"(\.[^"]+)\.js"/gu,
      ),
    ]
      .map(([, name = ""]) => posix.join(path, "..", `${name}.d.ts`))
      .filter((name) => !paths.includes(name)),
  );
  expect(missing).toEqual([]);
});

test("links of its pages lead to packed files, or to examples in the repository", () => {
  const folders = new Set(paths.map((path) => posix.dirname(path)));
  const isPacked = (target: string): boolean =>
    paths.includes(target) ||
    [...folders].some((folder) => `${folder}/`.startsWith(`${target}/`));
  const pages = paths.filter(
    // The README is also the page of the repository.
    (path) => path.endsWith(".md") && path !== "README.md",
  );
  const dead = pages.flatMap((path) => {
    const text = readFileSync(join(root, path), "utf8");
    const prose = text.replace(/^ *(`{3,})[^]*?^ *\1 *$|`[^`\n]+`/gmu, "");
    return [...prose.matchAll(/\]\((?![a-z]+:|#|\/)([^)#\s]+)/gu)]
      .map(([, link = ""]) => posix.join(path, "..", link))
      .filter((target) => !isPacked(target.replace(/\/$/u, "")))
      .filter((target) => !target.startsWith("examples/"))
      .map((target) => `${path}: ${target}`);
  });
  expect(dead).toEqual([]);
});
