import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { parseDocument } from "../../generator/1-parse/load/parse-document.js";
import { printDocument } from "../../generator/1-parse/print.js";
import { renderDiagnostics } from "../../generator/diagnostics/render.js";
import { importOpenapi } from "../../tools/import/import-openapi.js";
import {
  defaultLintOptions,
  lintContract,
} from "../../generator/lint/index.js";
import { lintRules } from "../../generator/lint/rules/index.js";
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
  const read = (path: string) => {
    const place = join(folder, path);
    return existsSync(place)
      ? { text: readFileSync(place, "utf8") }
      : { fault: "it does not exist" };
  };
  return importOpenapi(input, read, "expected");
}

function expectText(name: string, file: string, actual: string): void {
  const path = join(root, name, file);
  if (isUpdating) writeFileSync(path, actual);
  expect(actual).toBe(readFileSync(path, "utf8"));
}

describe.each(readdirSync(root))("%s", (name) => {
  const { documents, diagnostics } = importCase(name);
  const ridl = [...(documents ?? [])];

  test("becomes RIDL with notes", () => {
    for (const [path, text] of ridl) expectText(name, path, text);
    const notes = renderDiagnostics(diagnostics, { color: false });
    expectText(name, "expected.txt", notes === "" ? "" : `${notes}\n`);
  });

  test("becomes RIDL that `ridl check` accepts", () => {
    const reader = { read: (path: string) => documents?.get(path) ?? null };
    const checked = checkDocuments(
      ridl.map(([path]) => path),
      reader,
    );
    expect(checked.diagnostics.map(({ message }) => message)).toEqual([]);
    const findings = lintContract(checked, defaultLintOptions, lintRules);
    const errors = findings.filter(({ severity }) => severity === "error");
    expect(errors.map(({ message }) => message)).toEqual([]);
  });

  test("becomes RIDL that `ridl fmt` does not change", () => {
    for (const [path, text] of ridl) {
      const document = parseDocument({ path, text });
      expect(document.diagnostics).toEqual([]);
      expect(printDocument(document.value)).toBe(text);
    }
  });

  test("has no other files than its documents", () => {
    const folder = join(root, name);
    const files = readdirSync(folder, {
      recursive: true,
      withFileTypes: true,
    }).filter((entry) => entry.isFile());
    const unknown = files
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
      .filter((path) => documents?.has(path) !== true)
      .filter((path) => !/\.(?:yaml|json)$|expected\.txt$/u.test(path));
    expect(unknown).toEqual([]);
  });
});
