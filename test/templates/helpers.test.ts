import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  codeCell,
  markdownTable,
} from "../../generator/4-emit/templates/markdown-text.js";
import {
  findHelper,
  helperNames,
} from "../../generator/4-emit/templates/template-helpers.js";

test("the reference lists all helpers of templates", async () => {
  const rows = helperNames.map((name) => {
    const { example = ["", ""], summary = "" } = findHelper(name) ?? {};
    const [call, result] = example.map(codeCell);
    return [codeCell(name), summary, call ?? "", result ?? ""];
  });
  const titles = ["helper", "what it does", "example", "result"];
  const table = markdownTable(titles, rows);
  const page = readFileSync(
    "docs/reference/tables/template-helpers.md",
    "utf8",
  ).replace(/(?<=These are all helpers:\n\n)(?:.+\n)+/u, () => `${table}\n`);
  expect(page).toContain(table);
  await expect(page).toMatchFileSnapshot(
    "../../docs/reference/tables/template-helpers.md",
  );
});
