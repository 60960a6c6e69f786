import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { hostTable, proxyTable } from "../behavior/hosts/host-table.js";

const page = "docs/reference/tables/hosts.md";

it.each([
  ["What works on each host", () => hostTable("hosts")],
  ["What works below each middleware in Go", () => hostTable("Go")],
  ["What else works behind each proxy", () => hostTable("proxies")],
  ["What works behind each proxy", proxyTable],
])("the reference has the results of the tests: %s", (title, table) => {
  const section = new RegExp(
    `(?<=## ${title}\\n.*?\\n\\n)(?:\\| .*?|TABLE)(?=\\n\\n## |\\n$)`,
    "su",
  );
  const text = readFileSync(page, "utf8");
  if (process.env["UPDATE_GOLDEN"] === "1" && process.env["CI"] === undefined) {
    writeFileSync(
      page,
      text.replace(section, () => table()),
    );
  } else {
    expect(section.exec(text)?.[0]).toBe(table());
  }
});
