import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  catalog,
  isBreakingCode,
} from "../../generator/diagnostics/catalog.js";

test("docs/breaking.md lists the rules", () => {
  const page = readFileSync("docs/breaking.md", "utf8");
  const rows = page.matchAll(
    /^\| \[(.*)\]\(diagnostics\/\1\.md\) +\| (.*?) +\|/gmu,
  );
  const written = [...rows].map(([, code, text]) => [code, text]);
  const codes = Object.keys(catalog).filter(isBreakingCode);
  expect(written.sort()).toEqual(
    codes.sort().map((code) => [code, catalog[code]]),
  );
});
