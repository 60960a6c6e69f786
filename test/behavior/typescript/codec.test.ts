import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decodeBigint,
  decodeBytes,
  decodeDate,
  decodeFloat,
  decodeInt64,
  decodeIntegerText,
  decodeList,
  decodeRecord,
  decodeSafeInt,
  dropNulls,
  encodeBigint,
  encodeBytes,
  encodeDate,
  encodeList,
  encodeRecord,
  readListOf,
  nullable,
  optional,
  readFields,
  readMapOf,
  type Read,
  same,
} from "../../../runtime/typescript/codegen/codec.js";
import {
  parseJson,
  stringifyJson,
} from "../../../runtime/typescript/wire/json.js";
import {
  isBase64,
  isTimestamp,
} from "../../../runtime/typescript/values/validation.js";

const limit = { numRuns: 300 };

function overWire(value: unknown): unknown {
  return parseJson(stringifyJson(value));
}

describe("a round trip over the wire", () => {
  it("keeps bigint", () => {
    fc.assert(
      fc.property(fc.bigInt(), (value) => {
        expect(encodeBigint(value)).toMatch(/^-?\d+$/);
        expect(decodeBigint(overWire(encodeBigint(value)))).toBe(value);
      }),
      limit,
    );
  });

  it("keeps 64-bit integers", () => {
    const integer = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n });
    fc.assert(
      fc.property(integer, (value) => {
        expect(stringifyJson(value)).toBe(value.toString());
        expect(decodeInt64(overWire(value))).toBe(value);
      }),
      limit,
    );
  });

  it("keeps dates to the millisecond", () => {
    const date = fc.date({
      min: new Date("0000-01-01T00:00:00Z"),
      max: new Date("9999-12-31T23:59:59Z"),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(date, (value) => {
        expect(isTimestamp(encodeDate(value))).toBe(true);
        expect(decodeDate(overWire(encodeDate(value)))).toEqual(value);
      }),
      limit,
    );
  });

  it("keeps any number of bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70 }), (value) => {
        const text = encodeBytes(value);
        expect(isBase64(text)).toBe(true);
        expect(text).toBe(Buffer.from(value).toString("base64"));
        expect(decodeBytes(overWire(text))).toEqual(value);
      }),
      limit,
    );
    const many = Uint8Array.from({ length: 300_001 }, (_, index) => index);
    const back = decodeBytes(encodeBytes(many));
    expect(Buffer.compare(back, many)).toBe(0);
  });

  it("keeps lists and maps of these types", () => {
    const value = fc.dictionary(fc.string(), fc.array(fc.bigInt()));
    fc.assert(
      fc.property(value, (given) => {
        const sent = encodeRecord(given, (list) =>
          encodeList(list, encodeBigint),
        );
        const back = decodeRecord(overWire(sent), (list) =>
          decodeList(list, decodeBigint),
        );
        expect(Object.entries(back)).toEqual(Object.entries(given));
      }),
      limit,
    );
  });
});

describe("decoding", () => {
  it("accepts the formats of other servers", () => {
    expect(decodeBigint("007")).toBe(7n);
    expect(decodeBigint(7)).toBe(7n);
    expect(decodeBigint(2n ** 70n)).toBe(2n ** 70n);
    expect(decodeFloat(2n ** 64n)).toBe(2 ** 64);
    expect(decodeFloat(1.5)).toBe(1.5);
    expect(decodeIntegerText(7)).toBe("7");
    expect(decodeIntegerText(2n ** 64n)).toBe("18446744073709551616");
    expect(decodeIntegerText("0x7")).toBe("0x7");
    expect(decodeDate("2024-01-01T00:00:00.123456789Z").getTime()).toBe(
      Date.UTC(2024, 0, 1, 0, 0, 0, 123),
    );
  });

  it.each([
    ["2024-01-01t01:00:00z", Date.UTC(2024, 0, 1, 1)],
    ["2024-01-01T01:00:00+05:30", Date.UTC(2023, 11, 31, 19, 30)],
    ["2016-12-31T23:59:60Z", Date.UTC(2017, 0, 1)],
    ["2016-12-31T15:59:60.5-08:00", Date.UTC(2017, 0, 1, 0, 0, 0, 500)],
  ])("reads the date %s as UTC", (text, expected) => {
    expect(isTimestamp(text)).toBe(true);
    expect(decodeDate(text).getTime()).toBe(expected);
  });

  it.each([
    ["bigint", decodeBigint, ["", " 1", "0x1", "1.5", 1.5, 2 ** 53, null, {}]],
    ["int64", decodeInt64, ["1", 1.5, 2 ** 53, NaN, null, undefined, []]],
    ["a safe int", decodeSafeInt, ["1", 1.5, 2 ** 53, 5n, NaN, null]],
    ["float", decodeFloat, ["1", null, undefined, {}]],
    [
      "date",
      decodeDate,
      [
        "",
        "yesterday",
        0,
        null,
        {},
        "1",
        "2024",
        "2024-05-01",
        "2024-05-01T10:00:00",
        "2024-05-01 10:00:00Z",
        "2024-02-30T00:00:00Z",
        "2024-04-31T00:00:00Z",
        "2024-05-01T24:00:00Z",
        "2024-05-01T10:00Z",
        "2016-12-31T22:59:60Z",
        "Wed, 01 May 2024 10:00:00 GMT",
        new Date(0),
      ],
    ],
    ["bytes", decodeBytes, ["A", "AAAAA", "A-AA", "A=AA", 1, null, [], [65]]],
    ["integer text", decodeIntegerText, [1.5, 2 ** 53, null, {}, true]],
  ])(
    "rejects other values when it decodes to %s, without repeating them",
    (_, decode, values) => {
      for (const value of values) {
        expect(() => decode(value), String(value)).toThrow(TypeError);
      }
      expect(() => decode({ s3cret: 1 })).toThrow(/^(?!.*s3cret)/);
    },
  );

  it("rejects values that are not lists or maps", () => {
    for (const value of [null, undefined, "ab", 1, {}]) {
      expect(() => decodeList(value, decodeFloat)).toThrow(TypeError);
    }
    for (const value of [null, undefined, "ab", 1, []]) {
      expect(() => decodeRecord(value, decodeFloat)).toThrow(TypeError);
    }
  });

  it("converts a list in place", () => {
    const list: unknown[] = ["1", "2"];
    expect(decodeList(list, decodeBigint)).toBe(list);
    expect(list).toEqual([1n, 2n]);
  });

  it("keeps a key named __proto__ as an ordinary key", () => {
    const map = decodeRecord(JSON.parse('{"__proto__":"1"}'), decodeBigint);
    expect(Object.entries(map)).toEqual([["__proto__", 1n]]);
    expect(Object.getPrototypeOf(map)).toBe(Object.prototype);
  });
});

describe("encoding", () => {
  it("does not change its input", () => {
    const list = Object.freeze([1n, 2n]);
    expect(encodeList(list, encodeBigint)).toEqual(["1", "2"]);
    const map = Object.freeze({ a: 1n, b: undefined });
    expect(encodeRecord(map, encodeBigint)).toEqual({ a: "1" });
    expect(map).toHaveProperty("b");
  });

  it("leaves values that are not lists or maps to the validator", () => {
    const given = JSON.parse('{"list":"1","map":["1"]}');
    expect(encodeList(given.list, encodeBigint)).toBe(given.list);
    expect(encodeRecord(given.map, encodeBigint)).toBe(given.map);
  });
});

describe("readFields", () => {
  interface Row {
    readonly id: number;
  }
  const readRow: Read<Row> = readFields({
    id: decodeSafeInt,
    at: optional(decodeDate),
    until: nullable(decodeDate),
    note: same,
    parents: optional(readListOf((value) => readRow(value))),
    byName: readMapOf(decodeSafeInt),
    toString: optional(decodeDate),
  });
  const row = { id: 1, byName: {} };

  it("reads declared fields at any depth, and keeps other fields", () => {
    const at = "2024-02-29T00:00:00.000Z";
    const given = JSON.parse(
      JSON.stringify({
        ...row,
        at,
        until: at,
        parents: [{ ...row, at }],
        byName: { ["__proto__"]: 3, a: 4 },
        other: { deep: null, list: [null, { deep: null }] },
      }),
    );
    expect(readRow(given)).toEqual({
      id: 1,
      at: new Date(at),
      until: new Date(at),
      parents: [{ ...row, at: new Date(at) }],
      byName: { ["__proto__"]: 3, a: 4 },
      other: { list: [null, {}] },
    });
  });

  it("removes null unless it is a valid value", () => {
    const absent = { at: null, parents: null, name: null, toString: null };
    const nulls = { until: null, note: null };
    const read = readRow({ ...row, ...absent, ...nulls });
    expect(read).toStrictEqual({ ...row, ...nulls });
    expect(readRow({ ...row })).toStrictEqual(row);
  });

  it.each([
    null,
    7,
    [],
    "row",
    {},
    { ...row, id: 2 ** 53 },
    { ...row, id: "1" },
    { ...row, id: null },
    { id: 1 },
    { ...row, byName: [] },
    { ...row, byName: { a: 0.5 } },
    { ...row, parents: {} },
    { ...row, parents: [{}] },
  ])("rejects %j", (value) => {
    expect(() => readRow(value)).toThrow(TypeError);
  });

  it.each([null, 7, [], "row"])(
    "rejects %j without a required field",
    (value) => {
      const read = readFields({ at: optional(decodeDate) });
      expect(() => read(value)).toThrow(TypeError);
    },
  );
});

describe("dropNulls", () => {
  it("removes only the nulls of absent fields", () => {
    const given = JSON.parse(
      '{"a":null,"b":0,"c":{"d":null,"__proto__":{"e":null}},"f":[{"g":null},[false],null],"toString":null}',
    );
    const read: unknown = dropNulls(given);
    expect(read).toBe(given);
    expect(JSON.stringify(read)).toBe(
      '{"b":0,"c":{"__proto__":{}},"f":[{},[false],null]}',
    );
  });

  it.each([null, undefined, 7, "text", []])("keeps %j", (value) => {
    expect(dropNulls(value)).toBe(value);
  });
});

it.each([
  new Date(NaN),
  new Date(Date.UTC(-1, 0)),
  new Date(Date.UTC(10_000, 0)),
])("writes the date %s as no timestamp", (date) => {
  expect(isTimestamp(encodeDate(date))).toBe(false);
});
