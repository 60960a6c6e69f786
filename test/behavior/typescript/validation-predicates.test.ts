import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codePoint } from "../../../tools/test/code-point.js";
import { byteLengthOf } from "../../../runtime/typescript/codegen/checks.js";
import {
  isBase64,
  isBigintText,
  isBoolean,
  isFloat,
  isInt16,
  isInt32,
  isInt64,
  isInt8,
  isLengthWithin,
  isRecord,
  isSafeInt,
  isSafeUint,
  isString,
  isTimestamp,
  isUint16,
  isUint32,
  isUint64,
  isUint8,
  isUrl,
  keyOf,
  lengthOf,
  ownValue,
} from "../../../runtime/typescript/values/validation.js";
import type { Predicate } from "../../../runtime/typescript/values/report.js";

const limit = { numRuns: 500 };

const ranges: readonly (readonly [string, Predicate, bigint, bigint])[] = [
  ["uint8", isUint8, 0n, 2n ** 8n - 1n],
  ["uint16", isUint16, 0n, 2n ** 16n - 1n],
  ["uint32", isUint32, 0n, 2n ** 32n - 1n],
  ["uint64", isUint64, 0n, 2n ** 64n - 1n],
  ["int8", isInt8, -(2n ** 7n), 2n ** 7n - 1n],
  ["int16", isInt16, -(2n ** 15n), 2n ** 15n - 1n],
  ["int32", isInt32, -(2n ** 31n), 2n ** 31n - 1n],
  ["int64", isInt64, -(2n ** 63n), 2n ** 63n - 1n],
  ["a safe int", isSafeInt, -(2n ** 53n) + 1n, 2n ** 53n - 1n],
  ["a safe uint", isSafeUint, 0n, 2n ** 53n - 1n],
];

/** Reads an integer as `parseJson` does. */
function asParsed(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

describe.each(ranges)("%s", (_, isOf, minimum, maximum) => {
  it("accepts exactly its range", () => {
    for (const bound of [minimum, maximum, 0n, 2n ** 53n, -(2n ** 53n)]) {
      for (const value of [bound - 1n, bound, bound + 1n]) {
        const isWithin = value >= minimum && value <= maximum;
        expect(isOf(asParsed(value)), String(value)).toBe(isWithin);
      }
    }
    const any = fc.bigInt({ min: -(2n ** 66n), max: 2n ** 66n });
    fc.assert(
      fc.property(any, (value) => {
        const isWithin = value >= minimum && value <= maximum;
        expect(isOf(asParsed(value))).toBe(isWithin);
      }),
      limit,
    );
  });

  it("accepts -0 and 1.0, but no fractions or rounded numbers", () => {
    expect(isOf(-0)).toBe(true);
    expect(isOf(JSON.parse("1.0"))).toBe(true);
    for (const value of [0.5, 1e-9, NaN, Infinity, -Infinity, 2 ** 53, 1e20]) {
      expect(isOf(value), String(value)).toBe(false);
    }
  });

  it("accepts no other kind of value", () => {
    for (const value of ["1", "", true, null, undefined, [], [1], {}]) {
      expect(isOf(value)).toBe(false);
    }
  });
});

describe("the other scalars", () => {
  it("are distinguished", () => {
    const values = ["a", 1.5, true, null, undefined, [], {}, 5n, NaN, Infinity];
    const yes = (isOf: Predicate) => values.filter((value) => isOf(value));
    expect(yes(isString)).toEqual(["a"]);
    expect(yes(isBoolean)).toEqual([true]);
    expect(yes(isRecord)).toEqual([{}]);
    // A `bigint` is a float unless it exceeds the range of a double, because
    // large integers are read as `bigint`.
    expect(yes(isFloat)).toEqual([1.5, 5n]);
    expect(isFloat(10n ** 400n)).toBe(false);
  });
});

describe("isBigintText", () => {
  it.each(["0", "-1", "007", "-0", "9".repeat(78), "9".repeat(1000)])(
    "accepts %s",
    (text) => expect(isBigintText(text)).toBe(true),
  );
  it.each(
    ["", "-", "+1", " 1", "1 ", "1\n", "0x10", "1.0", "1e3", "1_000", "1,0"]
      .concat(["٣", "9".repeat(1001)])
      .map((text) => [text]),
  )("rejects %j", (text) => expect(isBigintText(text)).toBe(false));
  it("rejects numbers", () => {
    expect(isBigintText(1)).toBe(false);
    expect(isBigintText(1n)).toBe(false);
  });
});

describe("isTimestamp", () => {
  const pad = (value: number, width: number) =>
    String(value).padStart(width, "0");

  it("accepts the output of toISOString", () => {
    const date = fc.date({
      min: new Date("0000-01-01T00:00:00Z"),
      max: new Date("9999-12-31T23:59:59.999Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(date, (value) => {
        expect(isTimestamp(value.toISOString())).toBe(true);
      }),
      limit,
    );
  });

  it("accepts only days that exist", () => {
    const part = fc.nat({ max: 40 });
    fc.assert(
      fc.property(fc.nat({ max: 9999 }), part, part, (year, month, day) => {
        const text = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
        const date = new Date(`${text}T00:00:00Z`);
        const isDay =
          !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
        expect(isTimestamp(`${text}T00:00:00Z`), text).toBe(isDay);
      }),
      { ...limit, numRuns: 1000 },
    );
  });

  it.each([
    "2024-02-29T23:59:59Z",
    "2000-02-29T00:00:00.1Z",
    "2024-01-01T00:00:00.123456789Z",
    "2024-01-01t00:00:00z",
    "2024-01-01T00:00:00+00:00",
    "2024-01-01T00:00:00.5-23:59",
    "2016-12-31T23:59:60Z",
    "2017-01-01T05:29:60.25+05:30",
    "2016-12-31T15:59:60-08:00",
    "0000-01-01T00:00:00Z",
    "0000-01-01T01:00:00+01:00",
    "9999-12-31T23:59:59.999999999Z",
    "9999-12-31T22:59:59-01:00",
  ])("accepts %s", (text) => expect(isTimestamp(text)).toBe(true));

  it.each([
    "2023-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "2024-04-31T00:00:00Z",
    "2024-01-01T24:00:00Z",
    "2024-01-01T00:60:00Z",
    "2024-01-01T00:00:60Z",
    "2024-01-01T00:00:00.Z",
    "2024-01-01T00:00:00.1234567890Z",
    "2024-01-01T00:00:00",
    "2024-01-01 00:00:00Z",
    "2024-01-01T00:00:00+24:00",
    "2024-01-01T00:00:00+01:60",
    "2024-01-01T00:00:00+0100",
    "2024-01-01T00:00:00+01",
    "2024-01-01T00:00:61Z",
    "2016-12-31T23:59:60+01:00",
    // In UTC, the year has no four digits.
    "0000-01-01T00:59:59+01:00",
    "9999-12-31T23:00:00-01:00",
    "9999-12-31T23:59:60Z",
    "9999-12-31T15:59:60-08:00",
    "2024-01-01T00:00:00Z+01:00",
    "2024-01-01T00:00:00Z\n",
    "2024-1-1T00:00:00Z",
    "+02024-01-01T00:00:00Z",
    "2024-01-01",
    "",
    "٢٠٢٤-01-01T00:00:00Z",
  ])("rejects %j", (text) => expect(isTimestamp(text)).toBe(false));

  it("rejects dates and numbers", () => {
    expect(isTimestamp(new Date())).toBe(false);
    expect(isTimestamp(0)).toBe(false);
  });
});

describe("isUrl", () => {
  it.each([
    "http://a",
    "https://example.com/a/b?c=d#e",
    "HTTPS://EXAMPLE.COM",
    "http://user:pass@host:8080/",
    "http://[::1]:80/x",
    "http://127.0.0.1",
    "https://xn--r8jz45g.jp/%C3%A9",
  ])("accepts %s", (text) => expect(isUrl(text)).toBe(true));

  it.each([
    "",
    "example.com",
    "/a",
    "//a",
    "http:",
    "http:a",
    "http://",
    "http:///a",
    "https://?x",
    "ftp://a",
    "javascript:alert(1)",
    "http://a b",
    " http://a",
    "http://a\n",
    "http://a\t/",
    "http:\\\\a",
    "http://a\\b",
    "http://a:99999",
    "http://[::1",
    "http://%",
    "https://例え.jp/",
    "https://example.com/é",
    "https://example.com/<a>",
    "mailto:a@example.com",
  ])("rejects %j", (text) => expect(isUrl(text)).toBe(false));
});

describe("isBase64", () => {
  it("accepts exactly the output of Buffer", () => {
    const bytes = fc.uint8Array({ maxLength: 40 });
    fc.assert(
      fc.property(bytes, (value) => {
        expect(isBase64(Buffer.from(value).toString("base64"))).toBe(true);
      }),
      limit,
    );
    const letters = fc.constantFrom(..."AQgwBCEz019+/=-_ \n");
    const text = fc
      .array(letters, { maxLength: 9 })
      .map((list) => list.join(""));
    fc.assert(
      fc.property(text, (value) => {
        const again = Buffer.from(value, "base64").toString("base64");
        expect(isBase64(value), value).toBe(again === value);
      }),
      { ...limit, numRuns: 1000 },
    );
  });

  it("checks a megabyte of text", () => {
    expect(isBase64("A".repeat(1 << 20))).toBe(true);
    expect(isBase64(`${"A".repeat(1 << 20)}=AAA`)).toBe(false);
  });
});

describe("byteLengthOf", () => {
  it("counts the decoded bytes of base64", () => {
    for (let length = 0; length < 20; length += 1) {
      const text = Buffer.alloc(length, 7).toString("base64");
      expect(byteLengthOf(text)).toBe(length);
    }
  });
});

describe("lengthOf", () => {
  it("counts code points", () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint }), (text) => {
        expect(lengthOf(text)).toBe([...text].length);
      }),
      limit,
    );
    const units = fc.array(fc.constantFrom("\ud83d", "\ude00", "a"));
    fc.assert(
      fc.property(units, (list) => {
        const text = list.join("");
        expect(lengthOf(text)).toBe([...text].length);
      }),
      limit,
    );
  });
});

describe("ownValue", () => {
  it("does not read inherited properties", () => {
    expect(ownValue({}, "toString")).toBeUndefined();
    expect(ownValue({}, "__proto__")).toBeUndefined();
    expect(ownValue({ toString: 1 }, "toString")).toBe(1);
    expect(ownValue(JSON.parse('{"__proto__":2}'), "__proto__")).toBe(2);
  });
});

describe("keyOf", () => {
  it("accepts the canonical digits of integers in range", () => {
    const integer = fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n });
    fc.assert(
      fc.property(integer, (value) => {
        for (const [, isOf, minimum, maximum] of ranges) {
          const isWithin = value >= minimum && value <= maximum;
          expect(keyOf(isOf)(value.toString())).toBe(isWithin);
        }
      }),
      limit,
    );
  });

  it.each(["", "-", "-0", "00", "01", "+1", " 1", "1.0", "1e2", "0x1", "a"])(
    "rejects %j",
    (key) => expect(keyOf(isInt64)(key)).toBe(false),
  );
});

describe("isLengthWithin", () => {
  it("counts code points like lengthOf", () => {
    const text = fc.string({ unit: codePoint, maxLength: 12 });
    const bound = fc.integer({ min: 0, max: 14 });
    fc.assert(
      fc.property(text, bound, bound, (value, minimum, maximum) => {
        const length = lengthOf(value);
        expect(isLengthWithin(value, minimum, maximum)).toBe(
          length >= minimum && length <= maximum,
        );
      }),
      limit,
    );
  });

  it.each([
    ["", 0, 0, true],
    ["ab", 2, 2, true],
    ["😀😀", 2, 2, true],
    ["😀😀", 3, 4, false],
    ["abc", 0, 2, false],
    ["abc", 2, Infinity, true],
  ])(
    "for %j and the limits %s to %s, returns %s",
    (text, minimum, maximum, isWithin) => {
      expect(isLengthWithin(text, minimum, maximum)).toBe(isWithin);
    },
  );
});
