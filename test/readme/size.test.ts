import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pagesIn } from "../../docs/site/pages.js";

/** Counts the words of pages, including their code. */
function countWords(pages: readonly string[]): number {
  const words = (page: string): number =>
    readFileSync(page, "utf8").split(/\s+/u).filter(Boolean).length;
  return pages.reduce((sum, page) => sum + words(page), 0);
}

/** The pages for users that are written by hand. */
const pages = [
  "README.md",
  ...pagesIn("docs").filter((page) => page !== "docs/architecture.md"),
  ...pagesIn("docs/guides"),
];

test("the README has at most 700 words", () => {
  expect(countWords(["README.md"])).toBeLessThanOrEqual(700);
});

test("pages for users do not grow", () => {
  expect(countWords(pages)).toBeLessThanOrEqual(80_000);
});
