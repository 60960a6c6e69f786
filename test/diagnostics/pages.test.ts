import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
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

const folder = join(import.meta.dirname, "../../docs/diagnostics");
const codes = Object.keys(catalog).sort();

/** Examples omit the head of the document unless the page is about the head. */
const HEAD = "webrpc = v1\nversion = v0.0.1\n\n";
const HEADER = /^(⟨BOM⟩)?(webrpc|name|version|basepath) =/m;

/** Returns the blocks of one kind as documents by path. */
function readExample(
  page: string,
  kind: "bad" | "good" | "before" | "after" | "instead",
): ReadonlyMap<string, string> {
  const fence = new RegExp(
    "^```(ridl|json|yaml) " + kind + "(?: (\\S+))?\\n([^]*?)^```$",
    "gm",
  );
  return new Map(
    [...page.matchAll(fence)].map(([, form = "", path, body = ""]) => {
      const needsHead = form === "ridl" && !HEADER.test(body);
      const text = (needsHead ? HEAD : "") + body;
      return [path ?? `example.${form}`, revealMarks(text)];
    }),
  );
}

/** Replaces the marks that pages use for two invisible characters. */
function revealMarks(text: string): string {
  return text.replaceAll("␀", "\0").replaceAll("⟨BOM⟩", "\uFEFF");
}

/**
 * Returns the documents that no other document imports. If there are none,
 * returns the first document.
 */
function findEntries(texts: ReadonlyMap<string, string>): readonly string[] {
  const all = [...texts.values()].join("\n");
  const entries = [...texts.keys()].filter(
    (path) => !all.includes(`import "${path}"`),
  );
  return entries.length > 0 ? entries : [...texts.keys()].slice(0, 1);
}

function readPage(code: string): string {
  return readFileSync(join(folder, `${code}.md`), "utf8");
}

test("every code has a page", () => {
  // The test of `ridl explain` covers the pages of all other codes.
  const pages = readdirSync(folder).map((name) => name.replace(/\.md$/, ""));
  expect(pages).toEqual(expect.arrayContaining(codes));
});

test.each(codes)("%s begins with its code", (code) => {
  expect(readPage(code).startsWith(`# ${code}\n`)).toBe(true);
});

describe.each(codes.filter((code) => !isBreakingCode(code)))("%s", (code) => {
  const check = (kind: "bad" | "good"): readonly string[] => {
    const texts = readExample(readPage(code), kind);
    expect(texts.size).toBeGreaterThan(0);
    return codesOf(checkTexts(texts, findEntries(texts), lintFor(code)));
  };

  test("its bad example is reported", () => {
    expect(check("bad")).toEqual([code]);
  });

  test("its good example has no findings", () => {
    expect(check("good")).toEqual([]);
  });
});

describe.each(codes.filter(isBreakingCode))("%s", (code) => {
  const compareWith = (kind: "after" | "instead"): readonly string[] => {
    const [before, after] = (["before", kind] as const).map((each) => {
      const [text] = readExample(readPage(code), each).values();
      return text ?? expect.fail(`no \`${each}\` example`);
    });
    return codesOf(compareTexts(before ?? "", after ?? "", compareFor(code)));
  };

  test("its examples show the reported difference", () => {
    expect(compareWith("after")).toEqual([code]);
  });

  test("its alternative does not have the reported difference", () => {
    expect(compareWith("instead")).toEqual([]);
  });
});
