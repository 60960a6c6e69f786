import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (path: string): string => readFileSync(path, "utf8");

/** Returns the code blocks of a page. */
const blocksOf = (path: string): readonly string[] =>
  [...read(path).matchAll(/^```\w+(?: \S+)?\n([^]*?)^```$/gmu)].map(
    ([, text = ""]) => text,
  );

test("the examples of the home page are those of the README, which are tested", () => {
  const readme = read("README.md");
  const blocks = blocksOf("docs/site/home.md");
  expect(blocks.length).toBeGreaterThan(3);
  expect(blocks.filter((each) => !readme.includes(each))).toEqual([]);
});

test("the explorer has the same icon as the site", () => {
  const page = read("generated/explorer/index.html");
  const [, icon = ""] =
    /<link rel="icon" href="data:image\/svg\+xml,([^"]*)">/u.exec(page) ?? [];
  expect(decodeURIComponent(icon).replaceAll("'", '"')).toBe(
    read("docs/site/assets/logo.svg").trim(),
  );
});

test.each([
  "docs/site/.vitepress/theme/site.css",
  "apps/explorer/views/theme.css",
  "apps/playground/playground.css",
])("%s uses the shared colors, and defines no accent", (path) => {
  const text = read(path);
  expect(text).toMatch(/^@import "[./\w]*tokens\.css";$/mu);
  expect(text).not.toContain("--accent:");
});
