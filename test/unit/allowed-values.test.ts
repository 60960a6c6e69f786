import { expect, test } from "vitest";
import { compileContract } from "../../generator/compile.js";
import type { Constraints } from "../../generator/ir/contract.js";
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
