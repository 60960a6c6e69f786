import { expect, it } from "vitest";
import { compileContract } from "../../generator/compile.js";
import { schemasWithJsonEmitter } from "../../generator/4-emit/typescript/schemas-with-json/schemas-with-json.js";
import { judgesOf } from "../support/judge-unions.js";

const text = (variants: string): string => `webrpc = v1
name = arbitrary
version = v1

struct Price
  - value: string

type Amount: bigint
  + minimum = 1

type U: any
  + oneOf = "${variants}"

service Arbitrary
  - Send(x: U) => (x: U)
`;

const unions = [
  "bigint | bool",
  "bigint | []string",
  "Price | bigint",
  "int64 | bool",
  "int64 | []string",
  "Amount | bool",
  "Amount | null",
];
const values = [5, 2, 5.5, 1e20, "5", "2", "05", "5.5", "a", "9".repeat(30)];

it.each(
  unions.flatMap((union) =>
    (["number", "bigint"] as const).map((int64) => [union, int64] as const),
  ),
)("schemas of %s with %s agree with validation", (union, int64) => {
  const { value: contract } = compileContract(["a.ridl"], {
    read: () => text(union),
  });
  if (contract === null) throw new Error("the contract has errors");
  const { judge } = judgesOf(contract, int64);
  const accepted = new Set<unknown>();
  for (const value of [...values, true, null, ["a"], { value: "a" }]) {
    const { schemas, standard } = judge({ x: value });
    const all = Object.keys(schemas).map((name) => [name, standard]);
    expect([value, schemas]).toEqual([value, Object.fromEntries(all)]);
    if (standard) accepted.add(value);
  }
  const isText = !union.startsWith("int64");
  expect([accepted.has(5), accepted.has("5")]).toEqual([!isText, isText]);
});

it("a variant with a name is a reference with nothing beside it", () => {
  const { value: contract } = compileContract(["a.ridl"], {
    read: () => text("Amount | bool"),
  });
  if (contract === null) throw new Error("the contract has errors");
  const [file] = schemasWithJsonEmitter.emit(contract, {
    int64: "number",
    timestamp: "string",
    runtime: "import",
    importExtension: ".js",
  });
  const own = '{ allOf: [{ $ref: "#/$defs/Amount" }], type: "string" }';
  expect(file?.text).toContain(own);
});
