import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadOwnSets } from "../../generator/4-emit/templates/own-sets.js";

const folder = "dist/cli";

/** Code that only Handlebars' parser contains. */
const parser = "OPEN_INVERSE_CHAIN";

/** For each of ridlkit's template sets, the path of a file that only it has. */
const paths = [...(await loadOwnSets()).values()].map(
  ({ texts }) =>
    Object.keys(texts).find((path) => path.startsWith("files/")) ??
    expect.unreachable(),
);

function textOf(name: string): string {
  return readFileSync(join(folder, name), "utf8");
}

/** Returns a file and the files that are loaded with it. */
function loadedWith(name: string): ReadonlySet<string> {
  const found = new Set([name]);
  // The set grows during the iteration.
  for (const each of found) {
    const imports = textOf(each).matchAll(
      /(?:(?:from|import) ?|(?<!=>)require\()["`]\.\/([^"`]+\.c?js)["`]/gu,
    );
    for (const [, path = ""] of imports) found.add(path);
  }
  return found;
}

/** Finds files with Handlebars or with texts of templates. */
function findFaulty(entry: string): readonly string[] {
  return [...loadedWith(entry)].filter((name) =>
    [parser, ...paths].some((part) => textOf(name).includes(part)),
  );
}

test.each(["main.js", "node-system.js", "index.js", "serve.cjs"])(
  "%s loads neither Handlebars nor the texts of templates",
  (entry) => {
    expect(loadedWith(entry).size).toBeGreaterThan(1);
    expect(findFaulty(entry)).toEqual([]);
  },
);

test.each(paths)("a file contains %s and no other set", (path) => {
  const files = readdirSync(folder).filter((name) =>
    textOf(name).includes(path),
  );
  expect(files.length).toBeGreaterThan(0);
  for (const name of files) {
    expect(paths.filter((each) => textOf(name).includes(each))).toEqual([path]);
  }
});

test("the code that generates loads Handlebars and texts only for templates", () => {
  const used = readdirSync(folder).filter((name) =>
    /^(?:generate|check|main)-.*\.js$/u.test(name),
  );
  expect(used.length).toBeGreaterThan(1);
  for (const name of used) expect(findFaulty(name)).toEqual([]);
});

test("Handlebars takes at most 120 kB", () => {
  const files = readdirSync(folder).filter(
    (name) => name.endsWith(".js") && textOf(name).includes(parser),
  );
  expect(files.length).toBeGreaterThan(0);
  for (const name of files) {
    expect(statSync(join(folder, name)).size).toBeLessThan(120_000);
  }
});
