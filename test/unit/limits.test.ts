import fc from "fast-check";
import { expect, test } from "vitest";
import { choicesOf } from "../../generator/values/choices.js";
import {
  integersWithin,
  lengthsOf,
  textTest,
} from "../../generator/values/limits.js";
import { wireRange } from "../../generator/ir/scalars.js";
import { isUrl } from "../../runtime/typescript/values/validation.js";

test("limits beyond the range of a type do not change the range", () => {
  expect(integersWithin([0n, 255n], [{ minimum: -5, maximum: 300 }])).toEqual([
    0n,
    255n,
  ]);
  const limits = { maximum: 300 };
  const value = { layers: [limits], known: null };
  expect(choicesOf({ ...value, scalar: "uint8" }, "number")).toEqual({
    kind: "integers",
    range: [0n, 255n],
  });
});

test("integers are within ±(2^53-1) on the wire unless code uses bigint", () => {
  const safe = BigInt(Number.MAX_SAFE_INTEGER);
  expect(wireRange("int", "bigint")).toEqual([-safe, safe]);
  expect(wireRange("uint64", "number")).toEqual([0n, safe]);
  expect(wireRange("uint64", "bigint")).toEqual([0n, 2n ** 64n - 1n]);
  expect(wireRange("int8", "number")).toEqual([-128n, 127n]);
});

test("all limits of an integer apply, and fractions are rounded inward", () => {
  const limits = [{ minimum: 1.5 }, { minimum: 1n, maximum: 9.5 }];
  expect(integersWithin([0n, 255n], limits)).toEqual([2n, 9n]);
});

test("all limits of a length apply", () => {
  const limits = [{ minLength: 2 }, { minLength: 1, maxLength: 4 }];
  expect(lengthsOf(limits)).toEqual({ min: 2, max: 4 });
  expect(lengthsOf([{}])).toEqual({ min: 0, max: Infinity });
});

test("a URL has the same definition as in validators", () => {
  const fits = textTest([{ format: "uri" }]);
  const part = fc.constantFrom(
    ...["http", "HTTPS", "ftp", ":", "//", "/", "\\", "?", "#", "@", "[", "]"],
    ...["example.com", "1.2.3.4", "::1", "%", "%20", " ", "\n", "\u0001", "é"],
    ...["\u017f", "\u212a", "^", "|", "<", "!", "~"],
  );
  const start = fc.constantFrom("", "http://", "https://a");
  const texts = fc
    .tuple(start, fc.array(part))
    .map(([start, parts]) => start + parts.join(""));
  const property = fc.property(texts, (text) => fits(text) === isUrl(text));
  fc.assert(property, { numRuns: 10_000 });
  expect(fits("https://example.com/\u0001")).toBe(false);
  expect(fits("ftp://example.com/")).toBe(false);
  expect(fits("https://example.com/%C3%A9?a#b")).toBe(true);
});
