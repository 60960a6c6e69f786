import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { codePoint } from "../../../tools/test/code-point.js";
import { readJson } from "../../../runtime/typescript/wire/json-reader.js";
import { writeJson } from "../../../runtime/typescript/wire/json-writer.js";
import {
  JsonFault,
  maxJsonDepth,
} from "../../../runtime/typescript/wire/json-reader.js";
import {
  JsonSyntaxError,
  parseJson,
  stringifyJson,
} from "../../../runtime/typescript/wire/json.js";
import {
  parseJsonObject,
  stringifyMessage,
} from "../../../runtime/typescript/codegen/message-json.js";
import { readPlainJson } from "../../../runtime/typescript/wire/read-json.js";

const limit = { numRuns: 500 };

function outcomeOf(read: () => unknown) {
  try {
    const value = read();
    if (value instanceof JsonFault) return { isSyntaxError: true };
    return { value: rounded(value) };
  } catch (error) {
    return { isSyntaxError: error instanceof SyntaxError };
  }
}

/** Converts every `bigint` in a value to a `number`. */
function rounded(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([key, item]) => [key, rounded(item)]));
}

function nest(depth: number, inner = ""): string {
  return "[".repeat(depth) + inner + "]".repeat(depth);
}

describe("parseJson", () => {
  it("matches JSON.parse for valid JSON", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.boolean(), (text, isSpaced) => {
        const given = isSpaced
          ? JSON.stringify(JSON.parse(text), null, 2)
          : text;
        const expected: unknown = JSON.parse(given);
        expect(rounded(readJson(given))).toStrictEqual(expected);
        expect(readPlainJson(given, 10)).toStrictEqual(expected);
      }),
      limit,
    );
  });

  it("accepts and rejects the same texts as JSON.parse", () => {
    const piece = fc.constantFrom(
      ...'[]{},:"\\ \t\n\r01-+.eEtruefalsn\u0000\u001f\u2028é😀/bu',
      "true",
      "false",
      "null",
      '"a"',
      '"__proto__":',
      "\\u00e9",
      "\\ud83d",
      "-0",
      "1e5",
      "01",
      "1.",
      ".5",
      "\ufeff",
    );
    const text = fc
      .array(piece, { maxLength: 12 })
      .map((list) => list.join(""));
    const damaged = fc
      .record({ json: fc.json(), piece, at: fc.nat(), cut: fc.nat(2) })
      .map(({ json, piece, at, cut }) => {
        const start = at % json.length;
        return json.slice(0, start) + piece + json.slice(start + cut);
      });
    fc.assert(
      fc.property(fc.oneof(text, damaged), (given) => {
        const expected = outcomeOf(() => JSON.parse(given));
        const own = outcomeOf(() => readJson(given));
        expect(own).toStrictEqual(expected);
        const either = outcomeOf(() => parseJson(given));
        expect(either).toStrictEqual(expected);
      }),
      { numRuns: 3000 },
    );
  });

  it("reads integer literals of any size exactly in any position", () => {
    const place = fc.constantFrom(
      (n: string) => [n, (v: unknown) => v] as const,
      (n: string) => [` ${n} `, (v: unknown) => v] as const,
      (n: string) => [`[${n}]`, (v: unknown) => Object(v)[0]] as const,
      (n: string) => [`[1,${n}]`, (v: unknown) => Object(v)[1]] as const,
      (n: string) => [`{"a":${n}}`, (v: unknown) => Object(v).a] as const,
      (n: string) => [`{"a":\n${n}}`, (v: unknown) => Object(v).a] as const,
    );
    const bits = fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n });
    const near = fc
      .bigInt({ min: -20n, max: 20n })
      .chain((offset) =>
        fc.constantFrom(1n, -1n).map((sign) => sign * 2n ** 53n + offset),
      );
    fc.assert(
      fc.property(place, fc.oneof(bits, near), (put, number) => {
        const [text, get] = put(number.toString());
        const value: unknown = get(parseJson(text));
        const isSafe = Number.isSafeInteger(Number(number));
        expect(value).toBe(isSafe ? Number(number) : number);
      }),
      limit,
    );
  });

  it.each([
    ["9007199254740991", 9007199254740991],
    ["9007199254740992", 9007199254740992n],
    ["-9007199254740993", -9007199254740993n],
    ["18446744073709551615", 18446744073709551615n],
    ["9007199254740993.0", 9007199254740992],
    ["9007199254740993e0", 9007199254740992],
    ["1e400", Infinity],
    // A literal with more than 1,000 digits is not converted exactly, because
    // that is slow and no type allows it.
    [`1${"0".repeat(998)}`, 10n ** 998n],
    [`-${"9".repeat(1001)}`, -Infinity],
    ["-0", -0],
    ['"9007199254740993"', "9007199254740993"],
    ['"[9007199254740993"', "[9007199254740993"],
  ])("reads %s", (text, expected) => {
    expect(parseJson(text)).toBe(expected);
  });

  it("keeps __proto__ as an ordinary property", () => {
    for (const number of ["1", "9007199254740993"]) {
      const value = Object(parseJson(`{"__proto__":{"x":${number}}}`));
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      expect(Object.keys(value)).toEqual(["__proto__"]);
      expect(value.x).toBeUndefined();
    }
  });

  it("uses the last value of a repeated key, like JSON.parse", () => {
    const text = '{"a":9007199254740993,"b":1,"a":2}';
    expect(JSON.stringify(parseJson(text))).toBe('{"a":2,"b":1}');
  });

  it("limits the nesting depth of lists and objects", () => {
    for (const inner of ["1", "9007199254740993"]) {
      expect(() => parseJson(nest(maxJsonDepth, inner))).not.toThrow();
      const tooDeep = nest(maxJsonDepth + 1, inner);
      expect(() => parseJson(tooDeep)).toThrow(JsonSyntaxError);
      expect(() => parseJson(nest(200_000, inner))).toThrow(JsonSyntaxError);
      const text = `{"a":`.repeat(maxJsonDepth + 1) + inner;
      const objects = text + "}".repeat(maxJsonDepth + 1);
      expect(() => parseJson(objects)).toThrow(JsonSyntaxError);
    }
    expect(() => parseJson("[".repeat(200_000))).toThrow(JsonSyntaxError);
    expect(() => parseJson(`[[],${nest(maxJsonDepth - 1)}]`)).not.toThrow();
  });

  it("does not count adjacent brackets or those in strings", () => {
    for (const item of ["[]", "{}"]) {
      const wide = `[${Array(5000).fill(item).join(",")}]`;
      expect(parseJson(wide)).toHaveLength(5000);
    }
    const text = JSON.stringify({
      a: "[".repeat(5000),
      b: '\\"[{'.repeat(900),
    });
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it("reports the position and never quotes the input", () => {
    const given = '{"token":"s3cret" "x"}';
    expect(() => parseJson(given)).toThrow(
      new JsonSyntaxError(new JsonFault("a comma or a closing brace", 18)),
    );
    for (const bad of ["s3cret", '{"s3cret', '["s3cret\n"]', "[1,s3cret]"]) {
      try {
        parseJson(bad);
        expect.unreachable();
      } catch (error) {
        expect(error).toBeInstanceOf(JsonSyntaxError);
        expect(String(error)).not.toContain("s3cret");
      }
    }
  });

  it.each([
    ['{1":2}', "a property name", 1],
    ['{"a"1}', "a colon", 4],
    ["[1 2]", "a comma or a closing bracket", 3],
    ['"\\x"', "an escape sequence", 2],
    ['"\\u12g4"', "four hexadecimal digits", 3],
    ['"a', "a closing quote", 2],
    ["[,]", "a value", 1],
    ["1 2", "the end", 2],
  ])("describes the fault of %s", (text, expected, position) => {
    const message = `expected ${expected} at position ${position}`;
    expect(readJson(text)).toEqual({ message, position });
  });

  it("accepts only objects if a message is expected", () => {
    expect(parseJsonObject(' {"id":18446744073709551615}')).toEqual({
      id: 18446744073709551615n,
    });
    for (const text of ["", "[1]", "7", "null", '"{}"', "{"]) {
      expect(() => parseJsonObject(text)).toThrow(JsonSyntaxError);
    }
  });
});

describe("readPlainJson", () => {
  it("does not let the engine parse text with too many levels", () => {
    const parse = vi.spyOn(JSON, "parse");
    try {
      const deep = `[1,"a\\"[",${"[".repeat(500)}${"]".repeat(500)}]`;
      const fault = readPlainJson(deep, 100);
      expect(Object(fault).message).toContain("at most 100 levels at position");
      expect(parse).not.toHaveBeenCalled();
    } finally {
      parse.mockRestore();
    }
  });

  it.each(["[1,2]]", '"a', '["\\', '"\\"', "{{"])(
    "ends for text with many brackets that starts with %s",
    (start) => {
      const text = `${start}${"[".repeat(300)}`;
      expect(readPlainJson(text, 100)).toEqual(readJson(text, 100));
    },
  );
});

describe("stringifyJson", () => {
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.string({ unit: codePoint }),
      fc.double(),
      fc.boolean(),
      fc.constantFrom(null, undefined),
      fc.date({ noInvalidDate: true }),
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(fc.string(), tie("value"), { maxKeys: 4 }),
    ),
  })).value;

  it("matches JSON.stringify if there is no bigint", () => {
    fc.assert(
      fc.property(value, (given) => {
        const expected = JSON.stringify(given) ?? "null";
        expect(stringifyJson(given)).toBe(expected);
        expect(writeJson(given)).toBe(expected);
        expect(stringifyMessage(given)).toBe(JSON.stringify(given));
      }),
      limit,
    );
  });

  it("writes bigint as numbers that parseJson reads back", () => {
    const integer = fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n });
    const holder = fc.dictionary(fc.string(), fc.array(integer));
    fc.assert(
      fc.property(holder, (given) => {
        const text = stringifyJson(given);
        const plain = JSON.stringify(given, (_, item: unknown) =>
          typeof item === "bigint" ? `<${item}>` : item,
        ).replaceAll(/"<(-?\d+)>"/g, "$1");
        expect(text).toBe(plain);
        expect(stringifyMessage(given)).toBe(plain);
        const back = parseJson(stringifyJson(given));
        expect(stringifyJson(back)).toBe(text);
      }),
      limit,
    );
  });

  it("writes bigint as numbers next to a field called toJSON", () => {
    const given = { toJSON: "a text", id: 2n ** 63n };
    const expected = '{"toJSON":"a text","id":9223372036854775808}';
    expect(stringifyJson(given)).toBe(expected);
    expect(stringifyMessage(given)).toBe(expected);
  });

  it.each([
    { toJSON: () => null },
    { toJSON: () => ({ toJSON: () => "never called" }) },
    { toJSON: (key: string) => [key] },
  ])("calls toJSON like JSON.stringify: %s", (given) => {
    expect(writeJson([given])).toBe(JSON.stringify([given]));
  });

  it("writes bigint as numbers despite a custom toJSON", () => {
    const toJSON = (): string => "a text";
    Object.assign(BigInt.prototype, { toJSON });
    try {
      expect(stringifyJson({ id: [1n, 2], none: undefined })).toBe(
        '{"id":[1,2]}',
      );
      expect(stringifyMessage({ id: 1n })).toBe('{"id":1}');
    } finally {
      Reflect.deleteProperty(BigInt.prototype, "toJSON");
    }
  });

  it("writes null for undefined, and rejects cycles", () => {
    expect(stringifyJson(undefined)).toBe("null");
    expect(stringifyJson([undefined, , 1n])).toBe("[null,null,1]");
    expect(stringifyMessage([undefined, , 1n])).toBe("[null,null,1]");
    const list: unknown[] = [1n];
    list.push(list);
    expect(() => stringifyJson(list)).toThrow(TypeError);
    const object: Record<string, unknown> = { id: 1n };
    object["object"] = object;
    expect(() => stringifyJson(object)).toThrow(TypeError);
  });
});
