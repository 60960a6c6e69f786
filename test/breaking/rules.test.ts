import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  catalogue,
  isBreakingCode,
} from "../../generator/diagnostics/catalogue.js";
import { breakingRules } from "../../generator/diff/index.js";

const codes = Object.keys(breakingRules).sort();

test("no other code is about changes", () => {
  expect(Object.keys(catalogue).filter(isBreakingCode).sort()).toEqual(codes);
});

test("docs/breaking.md lists them as they are", () => {
  const page = readFileSync("docs/breaking.md", "utf8");
  const rows = page.matchAll(
    /^\| \[(.*)\]\(diagnostics\/\1\.md\) +\| (.*?) +\|/gmu,
  );
  const written = [...rows].map(([, code, text]) => [code, text]);
  expect(written.sort()).toEqual(codes.map((code) => [code, catalogue[code]]));
});
