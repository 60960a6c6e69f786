import { describe, expect, test } from "vitest";
import type { LoadedDocuments } from "../../generator/1-parse/load/load-documents.js";
import { checkContract } from "../../generator/2-check/index.js";
import type { Diagnostic } from "../../generator/diagnostics/diagnostic.js";
import { fixDocuments } from "../../cli/project/fix-documents.js";
import type { FixResult } from "../../cli/project/fix-documents.js";
import {
  defaultLintOptions,
  lintContract,
} from "../../generator/lint/index.js";
import { lintRules } from "../../generator/lint/rules/index.js";

const options = {
  ...defaultLintOptions,
  categories: ["minimal", "standard"],
} as const;

/** Fixes the first document. No other document may change. */
function fix(texts: Readonly<Record<string, string>>): FixResult {
  const entries = Object.keys(texts).slice(0, 1);
  const inspect = (documents: LoadedDocuments): readonly Diagnostic[] =>
    lintContract(checkContract(entries, documents), options, lintRules);
  return fixDocuments(
    entries,
    { read: (path) => texts[path] ?? null },
    inspect,
  );
}

function fixOne(text: string): string {
  const [document] = fix({ "a.ridl": text }).documents;
  return document?.after ?? text;
}

/** Returns a fix for each `_` of the first document that removes it. */
function renameAll(documents: LoadedDocuments): readonly Diagnostic[] {
  const source = documents.get("a.ridl")?.syntax.source;
  if (source === undefined) return [];
  return [...source.text.matchAll(/_(\w)/gu)].map(
    ({ 0: found, 1: next, index }) => ({
      code: "field-name-case",
      severity: "warning",
      message: "",
      fix: {
        location: { source, span: { start: index, end: index + found.length } },
        replacement: (next ?? "").toUpperCase(),
      },
    }),
  );
}

const head = "webrpc = v1\nversion = v0.0.1\n\n";

describe("fixDocuments", () => {
  test("renames fields and keeps their names on the wire", () => {
    const after = fixOne(
      `${head}struct User\n  - user_id: string # who\n    + maxLength = 3\n  - ID?: []string\n`,
    );
    expect(after).toBe(
      `${head}struct User\n  - userId: string # who\n    + json = user_id\n    + maxLength = 3\n  - id?: []string\n    + json = ID\n`,
    );
  });

  test("skips a name that is taken, and uses each new name only once", () => {
    const taken = `${head}struct User\n  - user_id: string\n  - userId: string\n`;
    expect(fixOne(taken)).toBe(taken);
    const after = fixOne(
      `${head}struct User\n  - user_id: string\n  - User_id_: string\n`,
    );
    expect(after).toBe(
      `${head}struct User\n  - userId: string\n    + json = user_id\n  - User_id_: string\n`,
    );
  });

  test("skips fields that share a line with others", () => {
    const after = fixOne(`${head}struct User - a_b: string - c_d: string\n`);
    expect(after).toContain("struct User - a_b: string");
  });

  test("keeps the document's line endings", () => {
    const text = `${head}struct User\n  - user_id: string\n`;
    const after = fixOne(text.replaceAll("\n", "\r\n"));
    expect(after).toBe(fixOne(text).replaceAll("\n", "\r\n"));
  });

  test("finds one bad fix among many without trying each", () => {
    const field = (name: string) => `  - ${name}: string\n`;
    const many = Array.from({ length: 200 }, (_, index) => `a_${index}`);
    const bad = field("b_c") + field("bC");
    const text = `${head}struct User\n${many.map(field).join("")}${bad}`;
    let runs = 0;
    const { documents } = fixDocuments(
      ["a.ridl"],
      { read: () => text },
      (loaded) => {
        runs++;
        const checked = checkContract(["a.ridl"], loaded);
        // Renames without regard to what exists.
        return [...checked.diagnostics, ...renameAll(loaded)];
      },
    );
    expect(documents[0]?.after).toContain("  - a0: string");
    expect(documents[0]?.after).toContain("  - b_c: string");
    expect(runs).toBeLessThan(30);
  });

  test("adds the default status to an error", () => {
    const after = fixOne('webrpc = v1\n\nerror 1 Late "Late one" # c\n');
    expect(after).toBe('webrpc = v1\n\nerror 1 Late "Late one" HTTP 400 # c\n');
  });

  test("removes comments that silence no finding", () => {
    const line = "  #! ridl-ignore import-used no";
    const after = fixOne(
      `${head}struct User\n${line}\n  - id: string #! ridl-ignore type-unused no\n${line}`,
    );
    expect(after).toBe(`${head}struct User\n  - id: string\n`);
  });

  test("fixes findings that another fix reveals", () => {
    const after = fixOne(`${head}message User\n  - user_id : string\n`);
    expect(after).toBe(
      `${head}struct User\n  - userId: string\n    + json = user_id\n`,
    );
  });

  test("changes only the allowed documents", () => {
    const { documents, diagnostics } = fix({
      "a.ridl": `${head}import "b.ridl"\n\nstruct A\n  - b_c: B\n`,
      "b.ridl": "webrpc = v1\n\nstruct B\n  - user_id: string\n",
    });
    expect(documents.map(({ path }) => path)).toEqual(["a.ridl"]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["field-camel-case"]);
  });

  test("does not change the JSON form", () => {
    const error = { code: 1, name: "Late", message: "Late one" };
    const schema = { webrpc: "v1", errors: [error] };
    const { documents, diagnostics } = fix({
      "a.json": JSON.stringify(schema, null, 2),
    });
    expect(documents).toEqual([]);
    expect(diagnostics.some(({ fix: found }) => found)).toBe(false);
  });

  test("does not apply fixes that cause new faults", () => {
    const source = { path: "a.ridl", text: `${head}struct User\n` };
    const at = (start: number, replacement: string): Diagnostic => ({
      code: "test",
      severity: "warning",
      message: replacement,
      fix: { location: { source, span: { start, end: start } }, replacement },
    });
    const end = source.text.length;
    const inspect = (documents: LoadedDocuments): readonly Diagnostic[] => {
      const text = documents.get("a.ridl")?.syntax.source.text ?? "";
      const { diagnostics } = checkContract(["a.ridl"], documents);
      if (text !== source.text) return diagnostics;
      return [at(0, "struct {\n"), at(end, "  - id: string\n"), at(8, "?")];
    };
    const reader = { read: () => source.text };
    const { documents } = fixDocuments(["a.ridl"], reader, inspect);
    expect(documents.map(({ after }) => after)).toEqual([
      `${source.text}  - id: string\n`,
    ]);
  });

  test("stops if two fixes undo each other", () => {
    let calls = 0;
    const inspect = (documents: LoadedDocuments): readonly Diagnostic[] => {
      calls += 1;
      const text = documents.get("a.ridl")?.syntax.source.text ?? "";
      const isOn = text.endsWith("#");
      const end = text.length;
      const span = { start: isOn ? end - 1 : end, end };
      const location = { source: { path: "a.ridl", text }, span };
      const replacement = isOn ? "" : "#";
      const message = "again";
      return [
        {
          code: "x",
          severity: "info",
          message,
          fix: { location, replacement },
        },
      ];
    };
    const reader = { read: () => head };
    expect(fixDocuments(["a.ridl"], reader, inspect).documents).toEqual([]);
    expect(calls).toBeLessThan(50);
  });
});
