import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const folder = "dist/cli";

/** Code that only Handlebars' parser contains. */
const parser = "OPEN_INVERSE_CHAIN";

function textOf(name: string): string {
  return readFileSync(join(folder, name), "utf8");
}

/** Returns a file and the files that are loaded with it. */
function loadedWith(name: string): ReadonlySet<string> {
  const found = new Set([name]);
  // The set grows during the iteration.
  for (const each of found) {
    const imports = textOf(each).matchAll(
      /(?:from|import) ?["`]\.\/([^"`]+\.js)["`]/gu,
    );
    for (const [, path = ""] of imports) found.add(path);
  }
  return found;
}

test.each(["main.js", "node-system.js", "index.js"])(
  "%s does not load Handlebars",
  (entry) => {
    const loaded = loadedWith(entry);
    const faulty = [...loaded].filter((name) => textOf(name).includes(parser));
    expect(faulty).toEqual([]);
  },
);

test("the code that generates loads Handlebars only for templates", () => {
  const used = readdirSync(folder).filter((name) =>
    /^(?:generate|check|main)-.*\.js$/u.test(name),
  );
  expect(used.length).toBeGreaterThan(1);
  for (const name of used) {
    const faulty = [...loadedWith(name)].filter((each) =>
      textOf(each).includes(parser),
    );
    expect(faulty).toEqual([]);
  }
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
