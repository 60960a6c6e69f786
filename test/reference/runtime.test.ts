import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { indexApi, printApi } from "./support/print-api.js";
import { referenceFolder } from "./support/expect-pages.js";
import { createApiProject } from "./support/read-api.js";
import { readRuntime } from "./support/create-api-pages.js";

/**
 * Returns a page without its option examples, which `runtime.long.ts` compares.
 */
function withoutUses(page: string): string {
  const text = readFileSync(`${referenceFolder}/runtime/${page}`, "utf8");
  return text.replace(/\n\n {2}Example: `.*`$/gmu, "");
}

test("docs/reference/runtime has every export, member, and comment", () => {
  const entries = readRuntime(createApiProject());
  const index = indexApi(entries);
  expect(entries.length).toBeGreaterThan(30);
  for (const entry of entries) {
    expect(withoutUses(entry.page)).toContain(
      printApi(entry, index, new Map()),
    );
  }
});
