import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { renderDiagnostics } from "../../generator/diagnostics/render.js";
import {
  catalog,
  isBreakingCode,
} from "../../generator/diagnostics/catalog.js";
import {
  checkTexts,
  codesOf,
  compareFor,
  compareTexts,
  lintFor,
} from "./check-texts.js";

/**
 * Each folder is a case and is named after its code. Documents whose names
 * start with `input` are entry documents, and other documents are imported.
 * `before.ridl` and `after.ridl` are two versions of one document.
 */
const root = import.meta.dirname;
const isUpdating = process.env["UPDATE_GOLDEN"] === "1";
const inputNames = /\.(ridl|json|yaml)$/;

const cases = readdirSync(root).filter((name) =>
  statSync(join(root, name)).isDirectory(),
);

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => relative(folder, path).replaceAll("\\", "/"))
    .sort();
}

describe.each(cases)("%s", (code) => {
  const folder = join(root, code);
  const files = listFiles(folder);
  const inputs = files.filter((name) => inputNames.test(name));
  const texts = new Map(
    inputs.map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
  const entries = inputs.filter((name) => name.startsWith("input"));
  const diagnostics = isBreakingCode(code)
    ? compareTexts(
        texts.get("before.ridl") ?? "",
        texts.get("after.ridl") ?? "",
        compareFor(code),
      )
    : checkTexts(texts, entries, lintFor(code));

  test("reports only its own code", () => {
    expect(codesOf(diagnostics)).toEqual([code]);
  });

  test("is reported as expected", () => {
    const actual = `${renderDiagnostics(diagnostics, { color: false })}\n`;
    const path = join(folder, "expected.txt");
    if (isUpdating) writeFileSync(path, actual);
    expect(actual).toBe(readFileSync(path, "utf8"));
  });

  test("has an `expected.txt` and no unused files", () => {
    expect(listFiles(folder)).toEqual([...inputs, "expected.txt"].sort());
  });
});

test("every code has a case", () => {
  expect([...cases].sort()).toEqual(Object.keys(catalog).sort());
});
