import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type JsonNode,
  parseJson,
  printFlat,
  printJson,
} from "../../apps/explorer/calls/json-text.js";

function nodeOf(text: string): JsonNode {
  const parsed = parseJson(text);
  if (!parsed.isValid) throw new Error(parsed.problem);
  return parsed.node;
}

test.each([
  "12345678901234567890",
  "-0.10",
  "1e400",
  '{"__proto__":{"a":1},"constructor":[]}',
  '["\\u2028","</script>","\\ud800"]',
])("preserves values that JSON.parse would change: %s", (text) => {
  const printed = printFlat(nodeOf(text));
  expect(printed.replace("\u2028", "\\u2028")).toBe(text);
});

test("prints JSON on several lines, with short lists on one line", () => {
  const text =
    '{"a":{},"b":[],"c":[1,"2",null],"d":[[1]],"e":{"f":[{"g":true}]}}';
  expect(printJson(nodeOf(text))).toBe(`{
  "a": {},
  "b": [],
  "c": [1, "2", null],
  "d": [
    [1]
  ],
  "e": {
    "f": [
      {
        "g": true
      }
    ]
  }
}`);
});

test("uses the last value of a repeated key", () => {
  expect(printFlat(nodeOf('{"a":1,"b":2,"a":3}'))).toBe('{"a":3,"b":2}');
});

test.each(["", "{", "[1,]", "{'a':1}", "01", "nul", '"\n"', "1 2"])(
  "rejects %j as JSON",
  (text) => {
    expect(parseJson(text)).toEqual({
      isValid: false,
      problem: expect.stringMatching(/./u),
    });
  },
);

test("the parser and both printers agree with JSON.parse", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), (text) => {
      const value: unknown = JSON.parse(text);
      const node = nodeOf(text);
      expect(JSON.parse(printFlat(node))).toEqual(value);
      expect(JSON.parse(printJson(node))).toEqual(value);
      expect(nodeOf(printJson(node))).toEqual(node);
    }),
    { numRuns: 200 },
  );
});

test("reads JSON of up to 500 levels, which it can also print", () => {
  const nested = (depth: number): string =>
    "[".repeat(depth) + "]".repeat(depth);
  expect(JSON.parse(printJson(nodeOf(nested(500))))).toHaveLength(1);
  expect(parseJson(nested(501))).toEqual({
    isValid: false,
    problem: "it is nested more than 500 levels deep",
  });
});

test("reads and prints a long list", () => {
  const text = `[${"7,".repeat(199_999)}7]`;
  expect(printJson(nodeOf(text)).length).toBeGreaterThan(text.length);
});
