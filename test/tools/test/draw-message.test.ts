import * as fc from "fast-check";
import { expect, test } from "vitest";
import { compileContract } from "../../../generator/compile.js";
import { Draws } from "../../../tools/test/draw-message.js";
import { drawScalar } from "../../../tools/test/draw-scalar.js";
import { SpecialFinder } from "../../../tools/test/find-specials.js";
import { scalar } from "../../support/contract-parts.js";

const tree = `webrpc = v1
name = trees
version = v1.0.0

struct Tree
  - branches: []Tree
  - byName: map<string,Tree>

service Trees
  - Plant(tree: Tree) => ()
`;

test("draws finite values of a struct with lists and maps of itself", () => {
  const { value: contract } = compileContract(["trees.ridl"], {
    read: () => tree,
  });
  if (contract === null) return expect.unreachable();
  const [method] = contract.hosts[0]?.services[0]?.methods ?? [];
  const fields = method?.request.fields ?? [];
  const [message] = fc.sample(new Draws(contract, new Map()).object(fields), 1);
  expect(message).toEqual({
    tree: { branches: expect.any(Array), byName: expect.any(Object) },
  });
});

const hash = `webrpc = v1
name = hashes
version = v1.0.0

type Hash: []byte
  + minItems = 32
  + maxItems = 32

service Hashes
  - Find(hash: Hash) => ()
`;

test("draws bytes within their limits, at them and beyond them", () => {
  const { value: contract } = compileContract(["hashes.ridl"], {
    read: () => hash,
  });
  if (contract === null) return expect.unreachable();
  const [method] = contract.hosts[0]?.services[0]?.methods ?? [];
  const fields = method?.request.fields ?? [];
  const draws = new Draws(contract, new Map());
  const lengthsOf = (message: fc.Arbitrary<object>) =>
    fc
      .sample(message, 5)
      .map((each) => atob(String(Reflect.get(each, "hash"))).length);
  expect(new Set(lengthsOf(draws.object(fields)))).toEqual(new Set([32]));
  const specials = new SpecialFinder(contract, draws).inFields(fields);
  const sizes = specials
    .filter(({ what }) => what.endsWith(" bytes"))
    .flatMap(({ value }) => lengthsOf(value));
  expect(new Set(sizes)).toEqual(new Set([31, 32, 33]));
});

test("draws integers without a size within the range of a number", () => {
  const { value: contract } = compileContract(["hashes.ridl"], {
    read: () => hash,
  });
  if (contract === null) return expect.unreachable();
  const draws = new Draws(contract, new Map());
  for (const name of ["int", "uint"] as const) {
    const drawn = fc.sample(draws.value(scalar(name)), 50).map(Number);
    expect(drawn.filter((each) => !Number.isSafeInteger(each))).toEqual([]);
  }
});

test("uses only given values that fit the type of their field", () => {
  const weighing = `webrpc = v1
name = scales
version = v1.0.0

service Scales
  - Weigh(weight: float64, isNet: bool) => ()
`;
  const { value: contract } = compileContract(["scales.ridl"], {
    read: () => weighing,
  });
  if (contract === null) return expect.unreachable();
  const [method] = contract.hosts[0]?.services[0]?.methods ?? [];
  const given = new Map([
    ["weight", ["heavy", "2.5"]],
    ["isNet", ["yes"]],
  ]);
  const draws = new Draws(contract, given);
  const drawn = fc.sample(draws.object(method?.request.fields ?? []), 100);
  const weights = drawn.map(({ weight }) => weight);
  expect(weights).toContain(2.5);
  expect(weights.filter(Number.isNaN)).toEqual([]);
});

test.each([
  { maximum: -1e10 },
  { minimum: 1e10 },
  { maximum: -Number.MAX_VALUE },
  { minimum: -2, maximum: 0.5 },
  {},
])("draws floats within %o", (limits) => {
  const { maximum = Infinity, minimum = -Infinity } = limits;
  const isValid = (value: unknown): boolean =>
    Number.isFinite(value) &&
    Number(value) >= minimum &&
    Number(value) <= maximum;
  const drawn = fc.sample(
    drawScalar({ scalar: "float64", layers: [limits] }),
    50,
  );
  expect(drawn.filter((value) => !isValid(value))).toEqual([]);
});
