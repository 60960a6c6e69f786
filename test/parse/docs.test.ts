import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { catalog } from "../../generator/diagnostics/catalog.js";
import { findings, format } from "./compact.js";

const page = readFileSync(
  new URL("../../docs/ridl.md", import.meta.url),
  "utf8",
);

function blocks(language: string): string[] {
  const pattern = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "gm");
  return [...page.matchAll(pattern)].map((match) => match[1] ?? "");
}

test("every RIDL block on the language page is valid and formatted", () => {
  expect(blocks("ridl").length).toBeGreaterThan(3);
  for (const block of blocks("ridl")) {
    expect(findings(block)).toEqual([]);
    expect(format(block)).toBe(block);
  }
});

test("every code among the differences from webrpc exists", () => {
  const differences = readFileSync("docs/reference/tables/webrpc.md", "utf8");
  const codes = differences.matchAll(
    /(?:warning|error|as|,) `([a-z]+(?:-[a-z]+)+)`/g,
  );
  const named = [...codes].map((match) => match[1] ?? "");
  expect(named.length).toBeGreaterThan(30);
  expect(named.filter((code) => catalog[code] === undefined)).toEqual([]);
});
