import fc from "fast-check";
import { expect, test } from "vitest";
import { integerPattern } from "../../generator/4-emit/json-schema/integer-pattern.js";

const integer = fc.oneof(
  fc.bigInt({ min: -1200n, max: 1200n }),
  fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }),
);

test("matches exactly the integers in a range", () => {
  fc.assert(
    fc.property(integer, integer, integer, (one, other, value) => {
      const [least, most] = one < other ? [one, other] : [other, one];
      const pattern = new RegExp(integerPattern(least, most), "u");
      for (const each of [value, least, most, least - 1n, most + 1n]) {
        const isWithin = each >= least && each <= most;
        expect(pattern.test(String(each)), `${each}`).toBe(isWithin);
      }
      expect(pattern.test(`0${most}`)).toBe(false);
    }),
  );
});

test("is short", () => {
  expect(integerPattern(0n, 255n)).toBe(
    "^(?:0|[1-9][0-9]?|1[0-9]{2}|2(?:[0-4][0-9]|5[0-5]))$",
  );
  expect(integerPattern(-128n, 127n)).toBe(
    "^(?:0|-?(?:[1-9][0-9]?|1(?:[01][0-9]|2[0-7]))|-128)$",
  );
  expect(integerPattern(-(2n ** 63n), 2n ** 63n - 1n).length).toBeLessThan(400);
});
