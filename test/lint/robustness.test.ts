import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type DocumentReader,
  loadDocuments,
  type LoadedDocuments,
} from "../../generator/1-parse/load/load-documents.js";
import { checkContract } from "../../generator/2-check/index.js";
import { fixDocuments } from "../../cli/project/fix-documents.js";
import {
  catalog,
  lintCategories,
} from "../../generator/diagnostics/catalog.js";
import type { Diagnostic } from "../../generator/diagnostics/diagnostic.js";
import {
  defaultLintOptions,
  lintContract,
} from "../../generator/lint/index.js";
import { lintRules } from "../../generator/lint/rules/index.js";
import { analyzePattern } from "../../generator/pattern/time/analyze-pattern.js";
import { parsePattern } from "../../generator/pattern/parse-pattern.js";
import {
  isAnchoredAtEnd,
  isAnchoredAtStart,
  longestMatch,
} from "../../generator/pattern/pattern.js";
import { codePoint } from "../../tools/test/code-point.js";
import { mutatedDocument } from "../support/mutated-documents.js";

const options = { ...defaultLintOptions, categories: lintCategories };

function inspect(documents: LoadedDocuments): readonly Diagnostic[] {
  return lintContract(checkContract(["a.ridl"], documents), options, lintRules);
}

function countErrors(diagnostics: readonly Diagnostic[]): number {
  return diagnostics.filter(({ severity }) => severity === "error").length;
}

test("lint never throws, and its fixes cause no new faults", () => {
  fc.assert(
    fc.property(mutatedDocument, mutatedDocument, (a, b) => {
      const readerOf = (text: string): DocumentReader => {
        const texts = new Map([
          ["a.ridl", text],
          ["common.ridl", b],
        ]);
        return { read: (path) => texts.get(path) ?? null };
      };
      const before = inspect(loadDocuments(["a.ridl"], readerOf(a)));
      for (const { code } of before) expect(catalog).toHaveProperty([code]);
      const fixed = fixDocuments(["a.ridl"], readerOf(a), inspect);
      const after = fixed.documents[0]?.after ?? a;
      const again = readerOf(after);
      const documents = loadDocuments(["a.ridl"], again);
      expect(fixed.diagnostics).toEqual(inspect(documents));
      // Unreadable parts hide other faults.
      const wasRead =
        before.every(({ fix }) => !fix) || countErrors(before) === 0;
      if (wasRead) {
        expect(countErrors(fixed.diagnostics)).toBe(countErrors(before));
      }
      expect(fixDocuments(["a.ridl"], again, inspect).documents).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

const piece = fc.oneof(
  fc.constantFrom(
    ..."a b . ^ $ | ( ) (?: (?= (?! (?<= (?<! (?<n> \\k<n> \\1 \\2".split(" "),
    ..."* + ? *? {2} {1,} {0,3} {20,90}? [a-c] [^a] [] [^] [\\]] [\\d-]".split(
      " ",
    ),
    ..."\\d \\w \\S \\b \\B \\/ \\. \\n \\u0061 \\u{1f600} \\ud83d\\ude00".split(
      " ",
    ),
    ..."\\p{L} \\P{Lu} \\x41 \\cA \\0 é 漢 😀 - , } ] /".split(" "),
  ),
  fc.string({ unit: codePoint, maxLength: 2 }),
);

const expression = fc
  .array(piece, { maxLength: 12 })
  .map((pieces) => pieces.join(""))
  .filter((source) => {
    try {
      return new RegExp(source, "u").source !== "";
    } catch {
      return false;
    }
  });

test("reads and analyzes every expression that the JavaScript engine accepts", () => {
  const subjects = ["", "a", "b", "ab", "aab", "a1 b", "é", "😀", "cab", "abc"];
  fc.assert(
    fc.property(expression, (source) => {
      const pattern = parsePattern(source);
      expect(pattern).not.toBeNull();
      if (pattern === null) return;
      expect(analyzePattern(source, 100).kind).toBeDefined();
      const engine = new RegExp(source, "u");
      for (const subject of subjects) {
        const [match, index] = [
          engine.exec(subject)?.[0],
          engine.exec(subject)?.index,
        ];
        if (match === undefined) continue;
        expect([...match].length).toBeLessThanOrEqual(longestMatch(pattern));
        if (isAnchoredAtStart(pattern)) expect(index).toBe(0);
        if (isAnchoredAtEnd(pattern)) {
          expect((index ?? 0) + match.length).toBe(subject.length);
        }
      }
    }),
    { numRuns: 3_000 },
  );
});
