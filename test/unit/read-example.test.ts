import fc from "fast-check";
import { expect, test } from "vitest";
import { readExample } from "../../generator/values/read-example.js";
import { isTimestamp } from "../../runtime/typescript/values/predicates.js";

test.each([
  ["int8", "-128", -128],
  ["int8", "128", undefined],
  ["uint8", "1e2", 100],
  ["uint8", "1.5", undefined],
  // JSON numbers have no leading zeros and no plus sign.
  ["uint8", "07", undefined],
  ["uint8", "+7", undefined],
  ["uint64", "18446744073709551615", 18446744073709551615n],
  ["uint64", "18446744073709551616", undefined],
  ["float64", "2.50", 2.5],
  ["float64", "1e309", undefined],
  ["bigint", "007", "007"],
  ["bigint", "1.0", undefined],
  ["bool", "false", false],
  ["bool", "no", undefined],
  ["string", "", ""],
  ["any", "1", undefined],
] as const)("an example of %s: %j", (name, text, value) => {
  expect(readExample(name, [], text)).toBe(value);
});

test("all limits of an example apply", () => {
  const limits = [{ minimum: 2 }, { maximum: 9n }];
  const read = (text: string) => readExample("bigint", limits, text);
  expect(["1", "2", "9", "10"].map(read)).toEqual([
    undefined,
    "2",
    "9",
    undefined,
  ]);
  expect(readExample("string", [{ maxLength: 1 }], "ab")).toBeUndefined();
});

test("a timestamp has the same definition as in validators", () => {
  const day = fc.constantFrom(
    ...["0000-01-01", "1900-02-29", "2000-02-29", "2026-02-30", "2026-04-31"],
    ...["2026-13-01", "2026-00-10", "2026-12-31", "9999-12-31", "2026-1-1"],
  );
  const time = fc.constantFrom(
    ...["T00:00:00", "t23:59:60", " 12:00:00", "T24:00:00", "T12:60:00"],
    ...["T12:00:61", "T22:59:60", "T23:30:00", "T00:29:59", "T12:00"],
  );
  const fraction = fc.constantFrom("", ".", ".5", ".999999999", ".1234567890");
  const zone = fc.constantFrom(
    ...[
      "Z",
      "z",
      "",
      "+00:00",
      "-01:00",
      "+00:30",
      "-00:30",
      "+24:00",
      "+1:00",
    ],
  );
  const texts = fc
    .tuple(day, time, fraction, zone)
    .map((parts) => parts.join(""));
  const property = fc.property(texts, (text) => {
    const expected = isTimestamp(text) ? text : undefined;
    expect(readExample("timestamp", [], text)).toBe(expected);
  });
  fc.assert(property, { numRuns: 20_000 });
});
