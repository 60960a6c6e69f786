import { describe, expect, it } from "vitest";
import { compileContract } from "../../generator/compile.js";
import type { Contract } from "../../generator/ir/contract.js";
import { unionTitle } from "../../generator/values/union-title.js";
import { valuesOf } from "../../generator/values/value.js";

const head = "webrpc = v1\nname = big\nversion = v1.0.0\n\n";

/** Lists the numbers from 0 to `count - 1` in a text. */
const each = (
  count: number,
  text: (index: number) => string,
  by = "",
): string => Array.from({ length: count }, (_, index) => text(index)).join(by);

const forms: Readonly<Record<string, (count: number) => string>> = {
  "a tag": (count) =>
    `${each(count, (at) => `struct V${at}\n  - kind: string\n    + enum = v${at}\n`)}
type Big: any
  + oneOf = ${each(count, (at) => `V${at}`, "|")}
  + tag = kind
`,
  "no tag": (count) =>
    `${each(count, (at) => `struct V${at}\n  - field${at}: string\n`)}
type Big: any
  + oneOf = ${each(count, (at) => `V${at}`, "|")}
`,
  "a tag beside": (count) => `struct Big
  - kind: string
  - data: any
    + oneOf = ${each(count, (at) => `v${at}:string`, "|")}
    + tag = kind
`,
  "exactly one field": (count) => `struct Big
${each(count, (at) => `  - field${at}?: string\n    + choice = field\n`)}`,
};

function compile(text: string): {
  readonly codes: readonly string[];
  readonly contract: Contract | null;
} {
  const { diagnostics, value } = compileContract(["big.ridl"], {
    read: () => `${head}${text}
service Big
  - Get() => (big: Big)
`,
  });
  return { codes: diagnostics.map(({ code }) => code), contract: value };
}

describe.each(Object.entries(forms))("a union with %s", (_, form) => {
  it("has at most 256 variants", () => {
    expect(compile(form(256)).codes).toEqual([]);
    expect(compile(form(257)).codes).toEqual(["invalid-union"]);
    expect(compile(form(2000)).codes).toEqual(["invalid-union"]);
  });

  it("is described in a few words", () => {
    const { contract } = compile(form(256));
    if (contract === null) throw new Error("the contract has errors");
    const union = contract.types.find(({ name }) => name === "Big");
    if (union?.kind !== "union") throw new Error("there is no union");
    expect(unionTitle(valuesOf(contract), union).length).toBeLessThan(600);
  });
});
