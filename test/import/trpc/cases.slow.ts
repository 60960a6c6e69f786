import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseDocument } from "../../../generator/1-parse/load/parse-document.js";
import { printDocument } from "../../../generator/1-parse/print.js";
import { renderDiagnostics } from "../../../generator/diagnostics/render.js";
import { checkDocuments } from "../../support/check-documents.js";
import { importRouterFile } from "./import-router.js";

/**
 * Each folder is a case: a router of tRPC, the RIDL that it becomes, and the
 * notes about what RIDL cannot say.
 */
const root = join(import.meta.dirname, "cases");
const isUpdating = process.env["UPDATE_GOLDEN"] === "1";

function expectText(name: string, file: string, actual: string): void {
  const path = join(root, name, file);
  if (isUpdating) writeFileSync(path, actual);
  expect(actual).toBe(readFileSync(path, "utf8"));
}

describe.each(readdirSync(root))("the router %s", async (name) => {
  const path = join(root, name, "router.ts");
  const { documents, diagnostics } = await importRouterFile(path, "expected");
  const text = documents?.get("expected.ridl") ?? "";

  test("becomes RIDL with notes", () => {
    expectText(name, "expected.ridl", text);
    const notes = renderDiagnostics(diagnostics, { color: false });
    expectText(name, "expected.txt", `${notes}\n`);
  });

  test("becomes RIDL that `ridl check` accepts and `ridl fmt` keeps", () => {
    const reader = { read: (path: string) => documents?.get(path) ?? null };
    const checked = checkDocuments(["expected.ridl"], reader);
    expect(checked.diagnostics.map(({ message }) => message)).toEqual([]);
    const document = parseDocument({ path: "expected.ridl", text });
    expect(printDocument(document.value)).toBe(text);
  });
});
