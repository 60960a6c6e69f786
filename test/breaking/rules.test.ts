import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  catalog,
  isBreakingCode,
} from "../../generator/diagnostics/catalog.js";

test("the reference lists the rules of ridl breaking", () => {
  const page = readFileSync("docs/reference/tables/breaking-rules.md", "utf8");
  const rows = page.matchAll(
    /^\| \[(.*)\]\(\.\.\/\.\.\/diagnostics\/\1\.md\) +\| (.*?) +\|/gmu,
  );
  const written = [...rows].map(([, code, text]) => [code, text]);
  const codes = Object.keys(catalog).filter(isBreakingCode);
  expect(written.sort()).toEqual(
    codes.sort().map((code) => [code, catalog[code]]),
  );
});
