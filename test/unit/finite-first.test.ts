import fc from "fast-check";
import { expect, test } from "vitest";
import { compileContract } from "../../generator/compile.js";
import { Draws } from "../../tools/test/draw-message.js";
import { finiteFirst } from "../../generator/values/finite-first.js";
import { valuesOf } from "../../generator/values/value.js";

function compile(text: string) {
  const head = "webrpc = v1\nname = tree\nversion = v1.0.0\n\n";
  const { value } = compileContract(["tree.ridl"], {
    read: () =>
      `${head}${text}\nservice Tree\n  - Get(tree: Tree) => (tree: Tree)\n`,
  });
  return value ?? expect.unreachable();
}

const sum = "struct Sum\n  - left: Tree\n  - right: Tree\n";

test.each([
  ["a list", `${sum}struct Rest\n  - items: []Tree\n`],
  ["a map", `${sum}struct Rest\n  - items: map<string,Tree>\n`],
  ["an optional field", `${sum}struct Rest\n  - item?: Tree\n`],
  ["null", `${sum}struct Rest\n  - item: Tree\n    + nullable = true\n`],
  [
    "another union",
    `${sum}struct Rest\n  - item: Inner\ntype Inner: any\n  + oneOf = "Sum | []Inner"\n`,
  ],
])("a union ends with %s if every variant can contain it", (_, types) => {
  const contract = compile(`${types}type Tree: any\n  + oneOf = Sum|Rest\n`);
  const union = contract.types.find(({ name }) => name === "Tree");
  if (union?.kind !== "union") return expect.unreachable();
  expect(finiteFirst(valuesOf(contract), union)).toEqual([
    { kind: "reference", name: "Rest" },
    { kind: "reference", name: "Sum" },
  ]);
  const draws = new Draws(contract, new Map());
  expect(
    fc.sample(draws.value({ kind: "reference", name: "Tree" }), 20),
  ).toHaveLength(20);
});

test("variants that cannot contain their union come first", () => {
  const contract = compile(
    `${sum}type Tree: any\n  + oneOf = "[]Tree | Sum | string"\n`,
  );
  const union = contract.types.find(({ name }) => name === "Tree");
  if (union?.kind !== "union") return expect.unreachable();
  const [first] = finiteFirst(valuesOf(contract), union);
  expect(first).toEqual({ kind: "scalar", name: "string" });
});
