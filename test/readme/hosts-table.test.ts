import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { hostTable } from "../hosts/host-table.js";

const page = "docs/frameworks.md";
const section =
  /(?<=## What works on each host\n.*?\n\n)(?:\| .*?|TABLE)(?=\n\n## )/su;

it("docs/frameworks.md has the results of the host tests", () => {
  const text = readFileSync(page, "utf8");
  if (process.env["UPDATE_GOLDEN"] === "1" && process.env["CI"] === undefined) {
    writeFileSync(
      page,
      text.replace(section, () => hostTable()),
    );
  } else {
    expect(section.exec(text)?.[0]).toBe(hostTable());
  }
});
