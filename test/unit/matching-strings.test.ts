import { expect, it } from "vitest";
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

it("finds varied strings of readable characters", () => {
  const texts = [...variedTexts("^[^/]{4}-(?:a|b|c)\\d+$", 9)];
  expect(new Set(texts).size).toBeGreaterThan(100);
  for (const text of texts) expect(text).toMatch(/^[!-~]{4}-[abc]\d+$/u);
  expect([...variedTexts("^[^/]{4}-(?:a|b|c)\\d+$", 9)]).toEqual(texts);
  const lengths = texts.map(({ length }) => length);
  expect(Math.max(...lengths)).toBeGreaterThan(13);
});
