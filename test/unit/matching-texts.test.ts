import { expect, it } from "vitest";
import { matchingTexts } from "../../generator/pattern/matching-texts.js";

it.each([
  ["^97[89][0-9]{10}$", "9780000000000"],
  ["^(?:</script>|`|/|')$", "</script>"],
  ["^(0x[0-9a-fA-F]*)?$", "0x0"],
  ["^a$|^b$", "a"],
  ["(a)\\1", "aa"],
  ["^[א-ת]+$", "א"],
])("spells a text that %s matches first", (pattern, text) => {
  expect(matchingTexts(pattern, 0).next().value).toBe(text);
});

it("spells texts of the length asked for", () => {
  const lengths = [...matchingTexts("^0x[0-9a-f]*$", 60)].map(
    ({ length }) => length,
  );
  expect(lengths).toContain(60);
});
