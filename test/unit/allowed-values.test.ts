import { expect, test } from "vitest";
import { compileContract } from "../../generator/compile.js";
import type { Constraints } from "../../generator/ir/contract.js";
import { choicesOf, choose } from "../../generator/values/choices.js";
import { countValues } from "../../generator/values/count-values.js";
import { extremesOf } from "../../generator/values/extremes.js";
import { textTest } from "../../generator/values/limits.js";
import { readExample } from "../../generator/values/read-example.js";
import { createIndex } from "../../generator/values/resolve.js";

/** Compiles a struct `All` and returns the limits of its fields. */
function limitsIn(body: string): Readonly<Record<string, Constraints>> {
  const text = `webrpc = v1\nname = a\nversion = v1\n\n${body}`;
  const reader = { read: () => text };
  const { diagnostics, value } = compileContract(["a.ridl"], reader);
  expect(diagnostics.map(({ message }) => message)).toEqual([]);
  if (value === null) throw new Error("no contract");
  const { constraintsOf, type } = createIndex(value);
  const all = type("All");
  if (all.kind !== "struct") throw new Error("no struct");
  return Object.fromEntries(
    all.fields.map((field) => [field.name, constraintsOf(field)]),
  );
}

test("values have the type of the field", () => {
  const limits = limitsIn(`
enum Side: string
  - Buy = BUY
  - Sell = SELL
enum Level: uint8
  - LOW = 1
  - HIGH = 2
struct All
  - text: string
    + enum = 200|true|''
  - code: uint16
    + enum = 200|2.01e2
  - wide: int64
    + enum = -1|9223372036854775807
  - flag: bool
    + enum = true
  - wei: bigint
    + enum = 007|-0
  - rate: float64
    + enum = 0.5|-0|123456789012345678901
  - side: Side
    + enum = SELL
  - level: Level
    + enum = HIGH
`);
  expect(limits).toEqual({
    text: { enum: ["200", "true", ""] },
    code: { enum: [200, 201] },
    wide: { enum: [-1, 9223372036854775807n] },
    flag: { enum: [true] },
    wei: { enum: ["7", "0"] },
    rate: { enum: [0.5, 0, 123456789012345680000] },
    side: { enum: ["SELL"] },
    level: { enum: ["HIGH"] },
  });
});

test("a field has the values that all its limits allow", () => {
  const limits = limitsIn(`
type Code: uint16
  + enum = 200|201|404
type Success: Code
  + maximum = 299
type Word: string
  + enum = a|bc|def
struct All
  - success: Success
  - created: Success
    + enum = 201
  - word: Word
    + minLength = 2
    + pattern = "^b"
  - amount: bigint
    + enum = 5|12
    + minimum = 5
`);
  expect(limits["success"]?.enum).toEqual([200, 201]);
  expect(limits["created"]?.enum).toEqual([201]);
  expect(limits["word"]?.enum).toEqual(["bc"]);
  expect(limits["amount"]?.enum).toEqual(["5", "12"]);
});

test("mocks choose listed values", () => {
  const value = { known: null, scalar: "int64" } as const;
  const layers = [{ maximum: 2n ** 60n }, { enum: [7, 2n ** 60n, 2n ** 61n] }];
  const choices = choicesOf({ ...value, layers }, "bigint");
  expect([0, 1, 2].map((at) => choose(choices, at))).toEqual([7, 2n ** 60n, 7]);
  // Code cannot represent the others.
  expect(choicesOf({ ...value, layers }, "number")).toEqual({
    kind: "listed",
    values: [7],
  });
});

test("tests of servers try values next to the listed ones", () => {
  const extremes = (
    scalar: "bool" | "bigint" | "string" | "uint8",
    list: Constraints["enum"],
  ) => extremesOf({ scalar, layers: [{ enum: list ?? [] }] });
  expect(extremes("uint8", [1, 2])).toEqual({
    edges: [1, 2],
    odd: [],
    beyond: [0, 1.5, 3, 2.5],
  });
  expect(extremes("bool", [true]).beyond).toEqual([false]);
  expect(extremes("bigint", ["7"]).beyond).toEqual(["8", "07"]);
  expect(extremes("string", ["ab"]).beyond).toEqual(["ab ", "AB", "b"]);
  expect(extremes("uint8", [])).toEqual({ edges: [], odd: [], beyond: [] });
});

test("listed values are counted, and other values do not fit", () => {
  const list = { enum: [200, 201, 404] };
  expect(countValues("uint16", [list])).toBe(3);
  expect(countValues("uint16", [{ maximum: 299 }, list])).toBe(2);
  expect(readExample("uint16", [list], "201")).toBe(201);
  expect(readExample("uint16", [list], "202")).toBeUndefined();
  expect(readExample("bool", [{ enum: [true] }], "false")).toBeUndefined();
  expect(readExample("bigint", [{ enum: ["7"] }], "07")).toBeUndefined();
  expect(readExample("float64", [{ enum: [1e20] }], "1e20")).toBe(1e20);
  const large = { enum: [123456789012345680000] };
  const text = "123456789012345680000";
  expect(readExample("float64", [large], text)).toBe(BigInt(text));
  expect(textTest([{ enum: ["", "a"] }, { maxLength: 0 }])("")).toBe(true);
  expect(textTest([{ enum: ["", "a"] }, { maxLength: 0 }])("a")).toBe(false);
});
