import fc from "fast-check";
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { variedTexts } from "../../generator/pattern/matching-strings.js";
import { toRe2 } from "../../generator/pattern/to-re2.js";

/** Reads an expression of RE2. Only the notation of some parts differs. */
function fromRe2(text: string): RegExp {
  return new RegExp(
    text
      .replaceAll("\\x{", "\\u{")
      .replaceAll("\\A", "^")
      .replaceAll("\\z", "$")
      .replaceAll("\\p{Greek}", "\\p{Script=Greek}")
      .replace(/\\([#&~])/gu, "$1"),
    "u",
  );
}

const patterns = new Set([
  "^$",
  "a|b|",
  "^(?:a|(b)c)+?$",
  "^(?<year>[0-9]{4})-[0-9]{2}$",
  "^.{2,}$",
  "^[^\\d\\s]*$",
  "^\\D\\W\\S$",
  "^[a-z-9+--]$",
  "^[\\w-]+@[-\\w.]+$",
  "^[a&&b~~c#[]+$",
  "^[^]$",
  "^\\u{1F600}\\ud83d\\ude00[\\u{10}-\\u{1F64F}]?$",
  "^\\cJ\\0\\t\\n\\v\\f\\r[\\b]?$",
  "^\\p{L}\\P{Lu}[\\p{Script=Greek}\\P{Nd}]$",
  "^\\/\\.\\*\\$\\^\\{\\}\\[\\]\\|\\\\\\-$".replace("\\-", "[\\-]"),
  "^(?:ab){0,2}(?:c|d){3}e{2,}$",
  "^<a> \"b\" 'c'$",
  ...["schema", "test/behavior/conformance", "examples"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ridl"))
      .flatMap((path) =>
        Array.from(
          readFileSync(`${folder}/${path}`, "utf8").matchAll(
            /\+ pattern = "(.*)"$/gmu,
          ),
          ([, text = ""]) => text.replaceAll("\\\\", "\\"),
        ),
      ),
  ),
]);

/** fast-check's own strings of all characters take a second to prepare. */
const codePoint = fc.integer({ min: 0, max: 0x10ffff });

it.each([...patterns])("translates %s", (pattern) => {
  const translated = toRe2(pattern);
  if (translated === null) throw new Error(`${pattern} is not translated`);
  const [before, after] = [new RegExp(pattern, "u"), fromRe2(translated)];
  // Some expressions backtrack, so that long texts take forever.
  const texts = [...variedTexts(pattern, 9)]
    .filter(({ length }) => length < 200 && !pattern.includes("+)+"))
    .flatMap((text) => [text, `${text}\n`, text.slice(1)]);
  for (const text of texts) {
    expect([text, after.test(text)]).toEqual([text, before.test(text)]);
  }
  fc.assert(
    fc.property(fc.array(codePoint, { maxLength: 5 }), (points) => {
      const text = String.fromCodePoint(...points);
      expect(after.test(text)).toBe(before.test(text));
    }),
  );
});

it.each([
  "^(?=a)a$",
  "^(?<!a)b$",
  "^(a)\\1$",
  "^(?<a>a)\\k<a>$",
  "\\bword",
  "^a{1001}$",
  "^(?:(?:a{20}){20}){3}$",
  "^[]$",
  "^[\\W]$",
  "^[\\ud800-\\udfff]$",
  "^\\p{Letter}$",
])("does not translate %s", (pattern) => {
  expect(toRe2(pattern)).toBeNull();
});

it("translates an escaped backslash before a digit", () => {
  expect(toRe2("^\\\\1$")).toBe("\\A\\\\1\\z");
});
