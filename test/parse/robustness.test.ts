import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Cursor } from "../../generator/1-parse/cursor.js";
import { printDocument } from "../../generator/1-parse/print.js";
import { renderDiagnostics } from "../../generator/diagnostics/render.js";
import { codePoint } from "../../tools/test/code-point.js";
import { anyText } from "./arbitrary.js";
import { parse } from "./compact.js";
import { isLong } from "../support/draw-some.js";

/** Meaningful pieces of the language that can be combined in any order. */
const pieces = fc.constantFrom(
  ...["struct", "A", "enum", "K: int", "type", "service", "import", "error"],
  ...["message", "name", "=", "=>", "(", ")", "[", "]", "[]", "map<", ">", ","],
  ...[
    "-",
    "+",
    "@",
    "@a:",
    ":",
    "?",
    "|",
    ".",
    "/",
    '"',
    "\\",
    '\\"',
    "#",
    "#!",
  ],
  ...["stream", "proxy", "errors", "HTTP", "404", "- a: string", "- M(a: int)"],
  ...[" ", "\n", "\r\n", "\t", "{", "}", ";", "é", "漢", "🎉", "\ufeff", "\0"],
);

/** Expects every location in a diagnostic to be within the text. */
function expectSound(text: string): void {
  const { value, diagnostics } = parse(text);
  for (const { location, fix, message } of diagnostics) {
    expect(message).not.toMatch(/[.\n]$/);
    for (const span of [location?.span, fix?.location.span]) {
      if (span === undefined) continue;
      expect(span.start).toBeGreaterThanOrEqual(0);
      expect(span.end).toBeGreaterThanOrEqual(span.start);
      expect(span.end).toBeLessThanOrEqual(text.length);
    }
  }
  const rendered = renderDiagnostics(diagnostics, { color: false });
  expect(rendered).not.toMatch(/[\0\r\u202e]/);
  expect(typeof printDocument(value)).toBe("string");
}

/** The length of a long text, which `npm run test:long` increases. */
const length = isLong ? 1_000_000 : 100_000;

describe("robustness of the parser", () => {
  test("parses random text without throwing", () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint, maxLength: 200 }), expectSound),
      { numRuns: 500 },
    );
  });

  test("parses random pieces of RIDL without throwing", () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 60 }), (list) => {
        expectSound(list.join(""));
        expectSound(list.join(" "));
      }),
      { numRuns: 500 },
    );
  });

  test("does not throw on documents with a part removed, duplicated, or replaced", () => {
    const mutation = fc.tuple(
      anyText(printDocument),
      fc.nat(),
      fc.nat(30),
      fc.oneof(fc.constant(""), pieces),
    );
    fc.assert(
      fc.property(mutation, ([text, at, length, piece]) => {
        const start = text.length === 0 ? 0 : at % text.length;
        const cut = text.slice(start, start + length);
        const [head, tail] = [text.slice(0, start), text.slice(start + length)];
        expectSound(head + piece + tail);
        expectSound(head + cut + cut + tail);
        expectSound(head);
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ["brackets", "[", ""],
    ["maps", "map<", "struct A\n - a: "],
    ["parentheses", "(", "service S\n - A"],
    ["strings", '"', "name = "],
    ["at signs", "@ a ", ""],
    ["dashes", "- ", "struct A\n"],
    ["plus signs", "+", "struct A\n - a: int\n"],
    ["colons with spaces", "a : int, ", "service S\n - A("],
    ["hashes", "#\n", ""],
    ["words", "word ", ""],
    ["doc lines", "# a\n", ""],
    ["annotations", "@a ", "struct A\n"],
    ["imports", "- a\n", "import\n"],
    ["blank lines", " \n", "service S\n - A("],
    ["error names", "A|", "service S\n - A() errors "],
    ["wide characters", "漢🎉", "name = "],
  ])("parses a long text of %s without throwing", (_name, unit, before) => {
    const text = before + unit.repeat(Math.ceil(length / unit.length));
    const { value, diagnostics } = parse(`${text}struct End`);
    printDocument(value);
    renderDiagnostics(diagnostics.slice(0, 20), { color: true });
    expect(diagnostics.length).toBeLessThanOrEqual(2000);
  });
});

describe("linear time", () => {
  /**
   * Returns the distance that the parser's cursor moves, plus one for each
   * move.
   */
  function steps(text: string): number {
    const original = Cursor.prototype.moveTo;
    let count = 0;
    let last = 0;
    Cursor.prototype.moveTo = function (offset: number): void {
      count += 1 + Math.abs(offset - last);
      last = offset;
      original.call(this, offset);
    };
    try {
      parse(text);
    } finally {
      Cursor.prototype.moveTo = original;
    }
    return count;
  }

  test.each([
    ["fields", "struct A\n", "  - a: map<string,[]B>\n    + json = b # c\n\n"],
    ["one line", "struct A ", "- a: int + json = x "],
    [
      "methods",
      "service S\n",
      "  # d\n  @a\n  - A(a: int) => (b: B) errors C\n",
    ],
    ["mistakes", "service S\n", "  - A(a: int => (\n  - B(a,\n  @ x y\n z\n"],
    ["broken arguments", "service S\n - A(", "\n\n a : int "],
  ])(
    "doubling the input of %s at most doubles the work",
    (_name, head, unit) => {
      const single = steps(head + unit.repeat(500));
      const double = steps(head + unit.repeat(1000));
      expect(double).toBeLessThan(single * 2.1);
      expect(double).toBeLessThan((head + unit.repeat(1000)).length * 5);
    },
  );
});
