import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  catalogue,
  isBreakingCode,
} from "../../generator/diagnostics/catalogue.js";

test("docs/breaking.md lists the rules", () => {
  const page = readFileSync("docs/breaking.md", "utf8");
  const rows = page.matchAll(
    /^\| \[(.*)\]\(diagnostics\/\1\.md\) +\| (.*?) +\|/gmu,
  );
  const written = [...rows].map(([, code, text]) => [code, text]);
  const codes = Object.keys(catalogue).filter(isBreakingCode);
  expect(written.sort()).toEqual(
    codes.sort().map((code) => [code, catalogue[code]]),
  );
});
