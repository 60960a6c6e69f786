import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  objectMembers,
  reservedNames,
} from "../../generator/4-emit/typescript/names/reserved.js";
import { catalogue } from "../../generator/diagnostics/catalogue.js";
import { isLintCode, lintRules } from "../../generator/lint/index.js";
import {
  globalNames,
  memberNames,
} from "../../generator/lint/rules/reserved-word.js";
import { suppressionUnused } from "../../generator/lint/rules/suppression-unused.js";
import { checkTexts, lintFor } from "../diagnostics/check-texts.js";
import { allCategories, lintText } from "./lint-text.js";

const all = [...lintRules, suppressionUnused];
const codes = all.map(({ code }) => code).sort();

test("each rule is a file of its name", () => {
  const files = readdirSync("generator/lint/rules")
    .map((name) => name.replace(/\.ts$/u, ""))
    .filter((name) => name !== "index" && name !== "rule");
  expect(files.sort()).toEqual(codes);
});

test("each is listed once, by category", () => {
  expect(new Set(codes).size).toBe(codes.length);
  const order = lintRules.map(({ category }) =>
    allCategories.indexOf(category),
  );
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(order).not.toContain(-1);
});

test("isLintCode knows them, and no other code", () => {
  expect(Object.keys(catalogue).filter(isLintCode).sort()).toEqual(codes);
});

/** Whether the case of a code has a finding with a fix. */
function hasFix(code: string): boolean {
  const folder = join("test/diagnostics", code);
  const names = readdirSync(folder).filter((name) => name.endsWith(".ridl"));
  const texts = new Map(
    names.map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
  return checkTexts(texts, ["input.ridl"], lintFor(code)).some(
    ({ fix }) => fix,
  );
}

test("docs/lint.md lists them as they are", () => {
  const page = readFileSync("docs/lint.md", "utf8");
  const rows = page.matchAll(
    /^\| \[(.*)\]\(diagnostics\/\1\.md\) \| (.*) \| (.*) \| (.*) ?\|$/gmu,
  );
  const written = [...rows].map(([, code, category, text, fix]) => {
    return [code, category, text, fix?.trim() === "yes"];
  });
  const expected = allCategories.flatMap((category) =>
    all
      .filter((rule) => rule.category === category)
      .map(({ code }) => [code, category, catalogue[code], hasFix(code)]),
  );
  expect(written.map(String).sort()).toEqual(expected.map(String).sort());
});

describe("reserved-word", () => {
  test("knows the names that generated code cannot give to types", () => {
    const types = [...reservedNames].filter(
      (name) => /^[A-Z]/u.test(name) && !/Error$/u.test(name),
    );
    expect([...globalNames].sort()).toEqual(
      [...types, "Error", "TypeError"].sort(),
    );
  });

  test("knows the names that generated code cannot give to methods", () => {
    const names = [...objectMembers].filter((name) => name !== "__proto__");
    expect([...memberNames].sort()).toEqual(names.sort());
  });
});

describe("every rule together", () => {
  const documents = ["docs", "examples", "schema", "test"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ridl"))
      .map((path) => join(folder, path)),
  );

  test("survives every document there is", () => {
    expect(documents.length).toBeGreaterThan(100);
    for (const path of documents) {
      const texts = { [path]: readFileSync(path, "utf8") };
      for (const { code } of lintText(texts, { categories: allCategories })) {
        expect(catalogue).toHaveProperty([code]);
      }
    }
  });

  test("has nothing to say about errors' own documents", () => {
    const broken = "webrpc = v1\n\nstruct a\n  - B_c: Nope\n";
    const found = lintText(broken, { categories: allCategories });
    expect(found.filter(({ code }) => isLintCode(code))).toEqual([]);
    expect(found.length).toBeGreaterThan(0);
  });
});
