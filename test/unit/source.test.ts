import fc from "fast-check";
import { expect, test } from "vitest";
import { LineIndex, lineStartAt } from "../../generator/source/line-index.js";
import { findChange } from "../../generator/source/text-change.js";

test("lines and columns start at 1, and columns count code points", () => {
  const lines = new LineIndex("a🎉b\r\n\n漢字");
  expect(lines.lineCount).toBe(3);
  expect(lines.positionOf(0)).toEqual({ line: 1, column: 1 });
  expect(lines.positionOf(1)).toEqual({ line: 1, column: 2 });
  expect(lines.positionOf(3)).toEqual({ line: 1, column: 3 });
  expect(lines.positionOf(6)).toEqual({ line: 2, column: 1 });
  expect(lines.positionOf(9)).toEqual({ line: 3, column: 3 });
});

test("a line excludes its line break", () => {
  const lines = new LineIndex("a\r\n\r\nb\rc\n");
  const texts = [1, 2, 3, 4].map((line) => lines.textOf(line));
  expect(texts).toEqual(["a", "", "b\rc", ""]);
});

test("every position matches a manual count", () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom("a", "\n", "\r", "🎉", "漢", "\ud800"),
      }),
      fc.nat(),
      (text, seed) => {
        const characters = [...text];
        const before = characters.slice(0, seed % (characters.length + 1));
        const rows = before.join("").split("\n");
        const expected = {
          line: rows.length,
          column: [...(rows.at(-1) ?? "")].length + 1,
        };
        const { length } = before.join("");
        expect(new LineIndex(text).positionOf(length)).toEqual(expected);
        const lineStart = length - (rows.at(-1) ?? "").length;
        expect(lineStartAt(text, length)).toBe(lineStart);
      },
    ),
  );
});

test("lookups in any order find the same lines", () => {
  const text = "a\n".repeat(100);
  const lines = new LineIndex(text);
  fc.assert(
    fc.property(fc.nat(text.length), (offset) => {
      expect(lines.lineOf(offset)).toBe(Math.floor(offset / 2) + 1);
    }),
  );
});

test("finds the only change between two long texts", () => {
  const around = fc.nat(5_000).map((length) => "ab".repeat(length));
  fc.assert(
    fc.property(
      around,
      around,
      fc.string(),
      fc.string(),
      (above, below, before, after) => {
        const earlier = `${above}<${before}>${below}`;
        const later = `${above}<${after}>${below}`;
        const { delta, span } = findChange(earlier, later);
        const inserted = later.slice(span.start, span.end + delta);
        expect(
          earlier.slice(0, span.start) + inserted + earlier.slice(span.end),
        ).toBe(later);
        expect(span.end - span.start).toBeLessThanOrEqual(before.length);
      },
    ),
  );
});
