import fc from "fast-check";
import { expect, test } from "vitest";
import { CORE_SCHEMA, load, YAML11_SCHEMA } from "js-yaml";
import { parse } from "yaml";
import type { JsonValue } from "../../generator/4-emit/emitter/json-value.js";
import { printYaml } from "../../generator/4-emit/openapi/print-yaml.js";

const ambiguous = [
  ..."on off yes no y n null true ~ NaN .inf 0x1f 0o7 1e3 1_000 12:30:00".split(
    " ",
  ),
  ...["2026-01-31", "2026-01-31T12:00:00Z", "", " ", "- a", "# a", "a: b"],
  ...["a #b", "&a", "*a", "!a", "|", ">", "@a", "`a", "%a", "---", "...", "<<"],
  ...[
    "a\nb",
    " a\nb",
    "a\n b\n",
    "a\tb",
    "\u202ea",
    "\u{e0001}",
    "\u0085",
    "{",
  ],
  ...["__proto__", "$ref", "=", "[a]", "'", '"', "\\", "a,b", "{a}", "\u2028"],
];
const text = fc.oneof(
  fc.constantFrom(...ambiguous),
  fc.string({ unit: "grapheme" }),
  fc.array(fc.constantFrom(...ambiguous)).map((lines) => lines.join("\n")),
);
const number = fc.oneof(
  fc.integer(),
  fc.double({ noDefaultInfinity: true, noNaN: true }).map((each) => each + 0),
);
const { value: anyValue } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    number,
    fc.constantFrom(null, true, false),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(text, tie("value"), { maxKeys: 4 }),
  ),
}));

test("prints values that every parser reads in the same way", () => {
  fc.assert(
    fc.property(fc.dictionary(text, anyValue), (value) => {
      const printed = printYaml(value, "A comment\nof two lines");
      expect(printed.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Zl}\p{Cf}]/u);
      expectSame(printed, value);
    }),
    { numRuns: 500 },
  );
});

test("prints keys that are too long to be written without a question mark", () => {
  const key = "key ".repeat(300).trim();
  const value = { list: [{ [key]: { [`${key}!`]: ["a\nb", {}] } }] };
  expectSame(printYaml(value, ""), value);
});

test("omits undefined members", () => {
  expect(printYaml({ a: undefined, b: { c: undefined } }, "x")).toBe(
    "# x\n\nb: {}\n",
  );
});

/** Expects YAML 1.1 and YAML 1.2 parsers to read the same value. */
function expectSame(printed: string, value: JsonValue): void {
  for (const version of ["1.1", "1.2"] as const) {
    expect(parse(printed, { version, merge: true })).toEqual(value);
  }
  for (const schema of [YAML11_SCHEMA, CORE_SCHEMA]) {
    expect(load(printed, { schema })).toEqual(value);
  }
}

test("prints 64-bit integers exactly", () => {
  expect(printYaml({ maximum: 2n ** 64n - 1n }, "")).toContain(
    "maximum: 18446744073709551615\n",
  );
});
