import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { parseDocument } from "../../generator/1-parse/load/parse-document.js";
import { printDocument } from "../../generator/1-parse/print.js";
import { renderDiagnostics } from "../../generator/diagnostics/render.js";
import { importOpenapi } from "../../generator/import/import-openapi.js";
import { checkDocuments } from "../support/check-documents.js";

/**
 * Each folder is a case: a document with the files that it refers to, the RIDL
 * that it becomes, and the notes about what RIDL cannot say.
 */
const root = join(import.meta.dirname, "cases");
const isUpdating = process.env["UPDATE_GOLDEN"] === "1";

function importCase(name: string) {
  const folder = join(root, name);
  const [input = ""] = readdirSync(folder).filter((file) =>
    file.startsWith("openapi."),
  );
  return importOpenapi(input, (path) => {
    const place = join(folder, path);
    return existsSync(place)
      ? { text: readFileSync(place, "utf8") }
      : { fault: "it does not exist" };
  });
}

function expectText(name: string, file: string, actual: string): void {
  const path = join(root, name, file);
  if (isUpdating) writeFileSync(path, actual);
  expect(actual).toBe(readFileSync(path, "utf8"));
}

describe.each(readdirSync(root))("%s", (name) => {
  const { text, diagnostics } = importCase(name);
  const ridl = text ?? "";

  test("becomes RIDL with notes", () => {
    expectText(name, "expected.ridl", ridl);
    const notes = renderDiagnostics(diagnostics, { color: false });
    expectText(name, "expected.txt", notes === "" ? "" : `${notes}\n`);
  });

  test("becomes RIDL that `ridl check` accepts", () => {
    const reader = { read: () => ridl };
    const checked = checkDocuments(["expected.ridl"], reader);
    expect(checked.diagnostics.map(({ message }) => message)).toEqual([]);
  });

  test("becomes RIDL that `ridl fmt` does not change", () => {
    const document = parseDocument({ path: "expected.ridl", text: ridl });
    expect(document.diagnostics).toEqual([]);
    expect(printDocument(document.value)).toBe(ridl);
  });

  test("has no other files than its documents", () => {
    const files = readdirSync(join(root, name), {
      recursive: true,
      withFileTypes: true,
    }).filter((entry) => entry.isFile());
    const unknown = files
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      .filter(
        (path) => !/\.(?:yaml|json)$|expected\.(?:ridl|txt)$/u.test(path),
      );
    expect(unknown).toEqual([]);
  });
});
