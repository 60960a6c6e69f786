import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unrolled } from "../../../runtime/typescript/codegen/checks.js";

describe("unrolled", () => {
  it.each([
    [/^#[0-9a-f]{3}$/u, "^#[0-9a-f][0-9a-f][0-9a-f]$"],
    [/\d{2}-\w{1}/u, "\\d\\d-\\w"],
    [/[\]]{2}/u, "[\\]][\\]]"],
    [/([a]{2}|[b]{2}){9}/u, "([a][a]|[b][b]){9}"],
  ])("writes out %s", (pattern, source) => {
    expect(unrolled(pattern)).toEqual(new RegExp(source, pattern.flags));
  });

  it.each([
    /a{3}/u,
    /[a]{2,3}/u,
    /[a]{2,}/u,
    /[a]{2}?b/u,
    /[a]{0}/u,
    /[a]{100}/u,
    /\u{61}\p{L}{2}/u,
    /\\d{2}/u,
    /\[d\]{2}/u,
    /[\\d{2}]/u,
  ])("keeps %s", (pattern) => {
    expect(unrolled(pattern).source).toBe(pattern.source);
  });

  it("matches the same strings as the pattern", () => {
    const piece = fc.constantFrom(
      ...["a", "[ab]{2}", "[^a]{1}", "\\d{3}", "(?:[b\\]]{2}|-)", "\\[", "."],
    );
    const patterns = fc
      .array(piece, { maxLength: 4 })
      .map((pieces) => new RegExp(`^${pieces.join("")}$`, "u"));
    const texts = fc.string({
      unit: fc.constantFrom("a", "b", "]", "[", "1", "-", "😀"),
      maxLength: 8,
    });
    fc.assert(
      fc.property(patterns, texts, (pattern, text) => {
        expect(unrolled(pattern).test(text)).toBe(pattern.test(text));
      }),
      { numRuns: 500 },
    );
  });
});
