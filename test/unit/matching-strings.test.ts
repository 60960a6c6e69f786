import { expect, it } from "vitest";
import { analyzePattern } from "../../generator/pattern/time/analyze-pattern.js";
import {
  matchingStrings,
  variedTexts,
} from "../../generator/pattern/matching-strings.js";

it.each([
  ["^97[89][0-9]{10}$", "9780000000000"],
  ["^(?:</script>|`|/|')$", "</script>"],
  ["^(0x[0-9a-fA-F]*)?$", "0x0"],
  ["^a$|^b$", "a"],
  ["(a)\\1", "aa"],
  ["^[א-ת]+$", "א"],
])("for %s, finds the string %s first", (pattern, text) => {
  expect(matchingStrings(pattern, 0).next().value).toBe(text);
});

it("finds strings of the given length", () => {
  const lengths = [...matchingStrings("^0x[0-9a-f]*$", 60)].map(
    ({ length }) => length,
  );
  expect(lengths).toContain(60);
});

/** A group that repeats each group before it twice. */
const doubled = Array.from(
  { length: 100 },
  (_, index) => `(\\${index + 1}\\${index + 1})`,
).join("");

it.each([
  "^((\\b){1000000}){1000000}a$",
  "^(()*){1000000}a$",
  `^(a)${doubled}$`,
])("ends for an expression that is larger than its text: %s", (pattern) => {
  // Without limits, these calls do not return.
  expect([...matchingStrings(pattern, 9)].length).toBeLessThan(200);
  expect([...variedTexts(pattern, 9)]).toEqual([]);
  expect(analyzePattern(pattern, Infinity)).toEqual({ kind: "unclear" });
});

it("finds varied strings of readable characters", () => {
  const texts = [...variedTexts("^[^/]{4}-(?:a|b|c)\\d+$", 9)];
  expect(new Set(texts).size).toBeGreaterThan(100);
  for (const text of texts) expect(text).toMatch(/^[!-~]{4}-[abc]\d+$/u);
  expect([...variedTexts("^[^/]{4}-(?:a|b|c)\\d+$", 9)]).toEqual(texts);
  const lengths = texts.map(({ length }) => length);
  expect(Math.max(...lengths)).toBeGreaterThan(13);
});
