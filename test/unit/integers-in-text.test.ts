import { expect, test } from "vitest";
import { integersInText } from "../../generator/4-emit/json-schema/integers-in-text.js";
import type { Constraints } from "../../generator/ir/contract.js";
import { textTest } from "../../generator/values/limits.js";

test.each<Constraints>([
  {},
  { maxLength: 2 },
  { minLength: 1, maxLength: 1 },
  { pattern: "^[0-9]+$" },
  { pattern: "^[0-9]*$", maxLength: 3 },
  { pattern: "^\\d$" },
  { pattern: "^[0-9]{2}$" },
  { pattern: "^[0-9]{2,}$" },
  { pattern: "^[0-9]{0,2}$" },
  { pattern: "^-?[0-9]{1,2}$" },
  { pattern: "^-?\\d+$", maxLength: 2 },
  { pattern: "^[0-9]+$", minLength: 3 },
  { pattern: "^[0-9]{3}$", maxLength: 2 },
])("the range of integers within %o has the same integers", (limits) => {
  const fits = textTest([limits]);
  const range = integersInText([limits]);
  if (range === null) return expect.unreachable();
  const { maximum = Infinity, minimum = -Infinity } = range;
  const integers = Array.from({ length: 4000 }, (_, index) => index - 2000);
  expect(
    integers.filter((value) => value >= minimum && value <= maximum),
  ).toEqual(integers.filter((value) => fits(String(value))));
});

test.each<Constraints>([
  { minLength: 2 },
  { maxLength: 0 },
  { pattern: "^[0-9]{0}$" },
  { pattern: "^-?[0-9]{2}$" },
  { pattern: "^[a-f0-9]+$" },
  { format: "uri" },
])("there is no range of integers within %o", (limits) => {
  expect(integersInText([{}, limits])).toBeNull();
});

test("limits are exact, and omitted beyond the range of a double", () => {
  const digits = { pattern: "^[0-9]+$" };
  expect(integersInText([digits, { maxLength: 20 }])).toEqual({
    minimum: 0,
    maximum: 99_999_999_999_999_999_999n,
  });
  expect(integersInText([digits, { maxLength: 400 }])).toEqual({ minimum: 0 });
});
