import { expect, test } from "vitest";
import { integerRange } from "../../generator/4-emit/typescript/mock/ranges.js";
import { integersWithin, lengthsOf } from "../../generator/ir/limits.js";

test("limits beyond the range of a type do not change it", () => {
  expect(integersWithin([0n, 255n], [{ minimum: -5, maximum: 300 }])).toEqual([
    0n,
    255n,
  ]);
  expect(integerRange({ maximum: 300 }, "uint8")).toEqual([0n, 255n]);
});

test("all limits of an integer count, with fractions rounded inward", () => {
  const limits = [{ minimum: 1.5 }, { minimum: 1n, maximum: 9.5 }];
  expect(integersWithin([0n, 255n], limits)).toEqual([2n, 9n]);
});

test("all limits of a length count", () => {
  const limits = [{ minLength: 2 }, { minLength: 1, maxLength: 4 }];
  expect(lengthsOf(limits)).toEqual({ min: 2, max: 4 });
  expect(lengthsOf([{}])).toEqual({ min: 0, max: Infinity });
});
