import { describe, expect, test } from "vitest";
import { compileContract } from "../../generator/compile.js";
import type { Field, TypeReference } from "../../generator/ir/contract.js";
import { mergeConstraints } from "../../generator/values/limits.js";
import { createIndex } from "../../generator/values/resolve.js";

const TEXT = `webrpc = v1
type Small: Big
  + maximum = 9007199254740991
type Big: uint64
  + minimum = 1
type Signed: int64
  + minimum = "-9007199254740991"
  + maximum = 9007199254740991
type Short: Name
  + maxLength = 5
  + pattern = "^a"
type Name: string
  + maxLength = 9
  + minLength = 1
  + pattern = "^b"
type Names: []Name
struct User
  - small: Small
  - big: Big
  - open: uint64
  - signed: Signed
  - half: int64
    + maximum = 5
  - own: uint64
    + maximum = 5
  - number: uint32
    + maximum = 5
    + minimum = 1
  - short: Short
    + maxLength = 7
    + minLength = 3
  - names: Names
  - user?: User
`;

function createSample() {
  const { value, diagnostics } = compileContract(["a.ridl"], {
    read: () => TEXT,
  });
  expect(diagnostics).toEqual([]);
  if (value === null) throw new Error("no contract");
  const index = createIndex(value);
  const user = index.type("User");
  const fields = user.kind === "struct" ? user.fields : [];
  const field = (name: string): Field => {
    const found = fields.find((each) => each.name === name);
    if (found === undefined) throw new Error(`no field ${name}`);
    return found;
  };
  return { index, field };
}

const named = (name: string): TypeReference => ({ kind: "reference", name });

describe("the index of a contract", () => {
  test("resolves aliases", () => {
    const { index } = createSample();
    expect(index.resolve(named("Small"))).toEqual({
      kind: "scalar",
      name: "uint64",
    });
    expect(index.resolve(named("Names"))).toEqual({
      kind: "list",
      element: named("Name"),
    });
    expect(index.resolve(named("User"))).toEqual(named("User"));
  });

  test("merges limits along the way, using the tightest number and the nearest pattern", () => {
    const { index, field } = createSample();
    expect(index.constraintsOf(named("Short"))).toEqual({
      maxLength: 5,
      minLength: 1,
      pattern: "^a",
    });
    expect(index.constraintsOf(field("short"))).toEqual({
      maxLength: 5,
      minLength: 3,
      pattern: "^a",
    });
    expect(index.constraintsOf(field("user"))).toEqual({});
    expect(index.constraintsOf(field("names"))).toEqual({});
  });

  test.each([
    ["small", true],
    ["big", false],
    ["open", false],
    ["signed", true],
    ["half", false],
    ["own", true],
    // Always a number, because it never has 64 bits.
    ["number", false],
    ["short", false],
  ])("%s fits in a double, although it has 64 bits: %s", (name, expected) => {
    const { index, field } = createSample();
    expect(index.isSafeInteger(field(name))).toBe(expected);
  });

  test("treats a missing name as a bug", () => {
    expect(() => createSample().index.type("Nope")).toThrow("ridlkit bug");
  });
});

test("merges limits by comparing numbers with integers beyond 2^53", () => {
  expect(
    mergeConstraints({ maximum: 18446744073709551615n }, { maximum: 5 }),
  ).toEqual({ maximum: 5 });
  expect(mergeConstraints({}, { uniqueItems: true, format: "uri" })).toEqual({
    uniqueItems: true,
    format: "uri",
  });
});
