import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { lowerContract } from "../../generator/3-lower/index.js";
import { catalog } from "../../generator/diagnostics/catalog.js";
import {
  printSchemaJson,
  toSchemaJson,
} from "../../tools/schema-json/index.js";
import { applyRules, defaultLintOptions } from "../../generator/lint/index.js";
import { wordRules } from "../../generator/lint/rules/words.js";
import { differenceCases, type DifferenceCase } from "./difference-cases.js";
import { checkDocuments } from "../support/check-documents.js";

/** A row of a table: its topic and the codes that it mentions. */
interface Row {
  readonly what: string;
  readonly codes: readonly string[];
  /** The severities that the row mentions. */
  readonly severities: readonly string[];
}

const page = "docs/reference/tables/webrpc.md";

function readRows(): readonly Row[] {
  return readFileSync(page, "utf8")
    .split("\n")
    .filter((line) => /^\| (?!what \||---)/u.test(line))
    .map((line) => {
      // A pipe inside a cell is written as `\|`.
      const cells = line.split(/(?<!\\) \| |^\| | \|$/u).filter(Boolean);
      const [what = "", , answer = ""] =
        cells.length === 3 ? cells : [cells[0], "", cells.at(-1)];
      const quoted = [...answer.matchAll(/`([a-z]+(?:-[a-z]+)*)`/gu)];
      return {
        what: what.replaceAll("\\|", "|"),
        codes: quoted
          .map(([, code = ""]) => code)
          .filter((code) => Object.hasOwn(catalog, code)),
        severities: [...answer.matchAll(/\b(?:error|warning)(?= `)/gu)].map(
          ([word]) => word,
        ),
      };
    });
}

const rows = readRows();

function filesOf({
  text,
  files,
}: DifferenceCase): Readonly<Record<string, string>> {
  if (files !== undefined) return files;
  return { "host.ridl": `webrpc = v1\nname = a\nversion = v1\n${text ?? ""}` };
}

function check(files: Readonly<Record<string, string>>) {
  const entries = Object.keys(files).filter((path) => /\bhost/u.test(path));
  const { value, diagnostics } = checkDocuments(entries, {
    read: (path) => files[path] ?? null,
  });
  // The cases about other topics use words with a single letter.
  const options = { ...defaultLintOptions, words: ["a", "b", "c", "x"] };
  const advice = applyRules(value, options, wordRules);
  return { value, diagnostics: [...diagnostics, ...advice] };
}

/** Returns webrpc's form of every host. */
function formsOf(files: Readonly<Record<string, string>>): readonly string[] {
  const { value } = check(files);
  return value.hosts.map((host) => printSchemaJson(toSchemaJson(value, host)));
}

test("every row has a case, and every case has a row", () => {
  const names = rows.map(({ what }) => what);
  expect(new Set(names).size).toBe(names.length);
  expect(Object.keys(differenceCases).sort()).toEqual([...names].sort());
});

describe(`${page} is correct about`, () => {
  test.each(rows.map((row) => [row.what, row] as const))("%s", (what, row) => {
    const shown = differenceCases[what];
    if (shown === undefined) return expect.unreachable("no case");
    const files = filesOf(shown);
    const { value, diagnostics } = check(files);
    const codes = [...new Set(diagnostics.map(({ code }) => code))];
    expect(codes.sort()).toEqual([...row.codes].sort());
    const severities = [...new Set(diagnostics.map((each) => each.severity))];
    expect(severities).toEqual([...new Set(row.severities)]);
    if (severities.includes("error")) return;
    expect(lowerContract(value).kind).toBe("contract");
    if (shown.same === undefined) return;
    expect(formsOf(files)).toEqual(formsOf(filesOf({ text: shown.same })));
  });
});

test("imports each declaration once and only if needed", () => {
  const shown = (what: string) => filesOf(differenceCases[what] ?? {});
  const { hosts } = check(shown("service imported in two ways")).value;
  expect(hosts.flatMap(({ services }) => services)).toHaveLength(1);

  const [form = ""] = formsOf(
    shown("imported member that requires other types"),
  );
  expect(JSON.parse(form)).toMatchObject({
    types: [{ name: "B" }, { name: "C" }],
    errors: [{ name: "E" }],
  });

  const lent = "document without services next to documents with services";
  expect(check(shown(lent)).value.hosts.map(({ name }) => name)).toEqual(["a"]);
});
