import fc from "fast-check";
import { format } from "prettier";
import { describe, expect, it } from "vitest";
import {
  render,
  type Doc,
} from "../../generator/4-emit/typescript/text/format.js";
import { tableLiteral } from "../../generator/4-emit/typescript/text/shapes.js";
import { quoteString } from "../../generator/4-emit/typescript/text/quote.js";
import {
  afterOperator,
  arrayOf,
  assignmentOf,
  blockOf,
  callOf,
  callWithArrow,
  callWithLimits,
  conditionalOf,
  entryOf,
  genericOf,
  ifBlockOf,
  ifOf,
  linesObjectOf,
  objectOf,
  operandsOf,
  operationOf,
  returnOf,
  signatureOf,
  unionOf,
} from "../../generator/4-emit/typescript/text/shapes.js";

const word = fc
  .integer({ min: 1, max: 40 })
  .map((length) => "abcdefghij".repeat(4).slice(0, length));
const words = fc.array(word, { minLength: 1, maxLength: 6 });
const text = fc.oneof(word, fc.constant("日本語の文字列")).map(quoteString);

function functionOf(
  name: string,
  parameters: readonly string[],
  returns: string,
  body: readonly Doc[],
): Doc {
  const signature = signatureOf(`function ${name}`, parameters, returns);
  return [signature, " ", blockOf(body)];
}

/** Layouts of declarations that consist of words of all lengths. */
const layouts: Readonly<Record<string, fc.Arbitrary<Doc>>> = {
  union: fc
    .tuple(word, words)
    .map(([name, members]) => [
      assignmentOf(
        `type ${name}`,
        unionOf(members.map((member) => `"${member}"`)),
      ),
      ";",
    ]),
  property: fc
    .tuple(word, words)
    .map(([name, members]) => [
      "interface A {\n  ",
      render(
        [`${name}: `, unionOf(members.map((member) => `"${member}"`)), ";"],
        2,
      ).replaceAll("\n", "\n  "),
      "\n}",
    ]),
  generic: fc
    .tuple(word, word, word)
    .map(([name, key, value]) => [
      assignmentOf(
        `type ${name}`,
        genericOf("Partial", [genericOf("Record", [key, value])]),
      ),
      ";",
    ]),
  call: fc
    .tuple(word, words)
    .map(([callee, args]) => [callOf(callee, args), ";"]),
  limits: fc
    .tuple(word, word, text, words)
    .map(([name, callee, title, keys]) => [
      assignmentOf(
        `const ${name}`,
        callWithLimits(
          callee,
          ["isFoo", title],
          [...new Set(keys)].map((key) => `${key}: 1`),
        ),
      ),
      ";",
    ]),
  arrow: fc
    .tuple(word, word, word)
    .map(([target, callee, inner]) => [
      assignmentOf(
        `value["${target}"]`,
        callWithArrow(
          callee,
          [`value["${target}"]`],
          "item",
          callOf("list", ["item", inner]),
        ),
      ),
      ";",
    ]),
  arrowAlone: fc
    .tuple(word, word, word)
    .map(([target, callee, inner]) => [
      assignmentOf(
        `value["${target}"]`,
        callWithArrow(callee, [], "item", callOf(inner, ["item"])),
      ),
      ";",
    ]),
  object: fc
    .tuple(word, words)
    .map(([name, keys]) => [
      assignmentOf(
        `const ${name}`,
        objectOf([...new Set(keys)].map((key) => `${key}: 1`)),
      ),
      ";",
    ]),
  entries: fc
    .array(fc.tuple(word, text), { minLength: 1, maxLength: 4 })
    .map((entries) => [
      "const a = ",
      linesObjectOf(entries.map(([key, value]) => entryOf(key, value))),
      ";",
    ]),
  array: fc
    .tuple(word, fc.array(text))
    .map(([name, items]) => [
      assignmentOf(`const ${name}`, arrayOf(items)),
      ";",
    ]),
  function: fc
    .tuple(word, words, word, words)
    .map(([name, parameters, result, operands]) =>
      functionOf(
        name,
        parameters.map((parameter, index) => `${parameter}${index}: unknown`),
        result,
        [returnOf("&&", operands)],
      ),
    ),
  if: fc
    .tuple(words, words)
    .map(([tests, args]) =>
      functionOf("f", [], "void", [
        ifOf(operandsOf("&&", tests), [callOf("fail", args), ";"]),
        ifBlockOf(operandsOf("&&", tests), [[callOf("fail", args), ";"]]),
      ]),
    ),
  operation: fc
    .tuple(word, word, words, word)
    .map(([name, test, calls, last]) => [
      afterOperator(
        `const ${name} =`,
        operationOf("+", [
          ...calls.map((call) => [
            "(",
            conditionalOf(`${test} === null`, "none", `${call}()`),
            ")",
          ]),
          last,
        ]),
      ),
      ";",
    ]),
  conditional: fc
    .tuple(word, word, word, word)
    .map(([name, test, yes, no]) => [
      afterOperator(
        `const ${name} =`,
        conditionalOf(`${test} === undefined`, yes, no),
      ),
      ";",
    ]),
  conditionalArrow: fc
    .tuple(word, word, word, words)
    .map(([name, test, callee, args]) => [
      afterOperator(
        `const ${name} =`,
        conditionalOf(
          `${test} === undefined`,
          "undefined",
          callWithArrow(
            callee,
            [test],
            "item",
            callOf("list", ["item", ...args]),
          ),
        ),
      ),
      ";",
    ]),
};

describe("layouts match Prettier", () => {
  it.each(Object.entries(layouts))("%s", async (_, layout) => {
    await fc.assert(
      fc.asyncProperty(layout, async (doc) => {
        const printed = `${render(doc)}\n`;
        expect(await format(printed, { filepath: "a.ts" })).toBe(printed);
      }),
      { numRuns: 120 },
    );
  });
});

it.each([0, 1, 2])(
  "breaks a JSON literal where Prettier does: %s",
  async (more) => {
    const fill = "x".repeat(48 + more);
    const table = {
      // The lines have about 80 columns.
      inside: { type: "string", text: fill },
      plain: { nested: { object: { description: fill + "y".repeat(7) } } },
      list: [fill, "y".repeat(16)],
      日本: { key: fill, 404: ["日".repeat(7)] },
    };
    const code = `const table = ${render(tableLiteral(table))};\n`;
    expect(code).toBe(await format(code, { parser: "typescript" }));
  },
);
