import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
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
);

test("prints text that YAML 1.1 and 1.2 read the same", () => {
  fc.assert(
    fc.property(fc.array(text), fc.dictionary(text, text), (list, map) => {
      const value = { list, map };
      const printed = printYaml(value, "A comment\nof two lines");
      expect(printed.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Zl}\p{Cf}]/u);
      for (const version of ["1.1", "1.2"] as const) {
        expect(parse(printed, { version, merge: true })).toEqual(value);
      }
    }),
    { numRuns: 300 },
  );
});

test("prints integers of 64 bits exactly", () => {
  expect(printYaml({ maximum: 2n ** 64n - 1n }, "")).toContain(
    "maximum: 18446744073709551615\n",
  );
});
