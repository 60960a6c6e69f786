import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  quoteAccess,
  quoteComment,
  quoteKey,
  quoteProperty,
  quoteRegExp,
  quoteString,
} from "../../generator/4-emit/typescript/text/quote.js";
import { codePoint } from "../../tools/test/code-point.js";

const runs = { numRuns: 500 };

/** Any string, including lone surrogates and control characters. */
const anyText = fc.oneof(
  fc.string({ unit: codePoint }),
  fc
    .array(
      fc.oneof(
        fc.integer({ min: 0, max: 0xffff }).map((n) => String.fromCharCode(n)),
        fc.constantFrom(
          ..."</script> <!-- */ /* ` ${ \" ' \\ \n \r \u2028 {{ }} / [ ] @ts-ignore".split(
            " ",
          ),
        ),
      ),
    )
    .map((parts) => parts.join("")),
);

const dangerous = /[\n\r\u2028\u2029\u202a-\u202e\0]|<\/script|\p{Surrogate}/iu;

function evaluate(expression: string): unknown {
  return new Function(`"use strict"; return (${expression});`)();
}

describe("quoteString", () => {
  it("evaluates to the same string, and contains no dangerous text", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const quoted = quoteString(text);
        expect(evaluate(quoted)).toBe(text);
        expect(quoted).not.toMatch(dangerous);
        expect(quoted).not.toContain("<!--");
      }),
      runs,
    );
  });

  it.each([
    ["plain", '"plain"'],
    [`it's`, `"it's"`],
    [`say "no"`, `'say "no"'`],
    [`'"`, `"'\\""`],
    ["a\u2028b\tc\u0007", '"a\\u2028b\\tc\\x07"'],
    ["</SCRIPT>", '"\\x3C/SCRIPT>"'],
  ])("writes %j as %s", (text, quoted) => {
    expect(quoteString(text)).toBe(quoted);
  });
});

describe("quoteKey", () => {
  it("creates an own property for every name", () => {
    fc.assert(
      fc.property(
        fc.oneof(anyText, fc.constantFrom("__proto__", "constructor", "if")),
        (name) => {
          const object = Object(evaluate(`{ ${quoteKey(name)}: 1 }`));
          expect(Object.keys(object)).toEqual([name]);
        },
      ),
      runs,
    );
  });
});

describe("property names and access", () => {
  it.each([
    ["name", "name", ".name"],
    ["class", "class", ".class"],
    ["a-b", '"a-b"', '["a-b"]'],
    ["1st", '"1st"', '["1st"]'],
    ["", '""', '[""]'],
    ["é", "é", '["é"]'],
    ["\u{20000}", '"\u{20000}"', '["\u{20000}"]'],
  ])("%j", (name, property, access) => {
    expect(quoteProperty(name)).toBe(property);
    expect(quoteAccess(name)).toBe(access);
  });
});

describe("quoteComment", () => {
  it("never ends the comment, the line, or a script", () => {
    fc.assert(
      fc.property(fc.array(anyText), (texts) => {
        const lines = quoteComment(texts);
        expect(lines).toHaveLength(texts.length);
        for (const line of lines) {
          expect(line).not.toContain("*/");
          expect(line).not.toMatch(dangerous);
          expect(line).not.toMatch(/(?<!\\)@ts-/u);
        }
      }),
      runs,
    );
  });

  it("keeps ordinary text unchanged", () => {
    const text = ["An `address`, e.g. 0x12 (é, 日本).", "a@b.org @ 1"];
    expect(quoteComment(text)).toEqual(text);
  });

  it("escapes tags, so that tools read them as text", () => {
    expect(quoteComment(["@deprecated", "a {@link B}", "@internal"])).toEqual([
      "\\@deprecated",
      "a {\\@link B}",
      "&#64;internal",
    ]);
  });
});

describe("quoteRegExp", () => {
  it("matches the same strings as the pattern, and stays a single literal", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const pattern = text.replace(/[\\^$.*+?()[\]{}|/]/gu, "\\$&");
        const literal = quoteRegExp(`^${pattern}$`);
        const made = evaluate(literal);
        expect(made).toBeInstanceOf(RegExp);
        expect(literal).not.toMatch(dangerous);
        expect(made instanceof RegExp && made.test(text)).toBe(true);
      }),
      runs,
    );
  });

  it.each([
    ["^a/b$", "/^a\\/b$/u"],
    ["[/]", "/[/]/u"],
    ["", "/(?:)/u"],
    ["(?<!--x)y", "/(?<!--x)y/u"],
    ["[</script>]", "/[<\\/script>]/u"],
  ])("writes %j as %s", (pattern, literal) => {
    expect(quoteRegExp(pattern)).toBe(literal);
  });
});
