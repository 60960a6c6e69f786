import { expect, test } from "vitest";
import {
  parseLiterals,
  splitLiterals,
} from "../../generator/1-parse/literals.js";

const textsIn = (text: string, separators = "|") =>
  parseLiterals(text, separators)?.map((each) => each.text) ?? null;

test.each([
  ["200|201", ["200", "201"]],
  ["200 | 201 ", ["200", "201"]],
  ["true", ["true"]],
  ["New York|a:b,c", ["New York", "a:b,c"]],
  ["'a|b'|''|' '", ["a|b", "", " "]],
  ["'it''s'|''''|it's", ["it's", "'", "it's"]],
  ["-1|+2", ["-1", "+2"]],
])("splits %j", (text, texts) => {
  expect(textsIn(text)).toEqual(texts);
});

test.each(["", " ", "|", "a|", "|a", "a||b", "'a", "'a'b", "'a' 'b'"])(
  "rejects %j",
  (text) => {
    expect(textsIn(text)).toBeNull();
  },
);

test("returns locations and separators", () => {
  const text = "a , 'b:c' :D| e";
  const literals = parseLiterals(text, "|,:") ?? [];
  expect(
    literals.map(({ end, isQuoted, separator, start }) => [
      text.slice(start, end),
      isQuoted,
      separator,
    ]),
  ).toEqual([
    ["a", false, ","],
    ["'b:c'", true, ":"],
    ["D", false, "|"],
    ["e", false, ""],
  ]);
});

test("returns invalid parts with their locations", () => {
  const text = "a| |'b'c | 'd|e:";
  const parts = splitLiterals(text, "|:").filter(({ isValid }) => !isValid);
  expect(parts.map(({ end, start }) => text.slice(start, end))).toEqual([
    "",
    "'b'c",
    "'d",
    "",
  ]);
});

test("reads long text in linear time", () => {
  const size = 100_000;
  for (const part of [" ", "'", "a ", "|", "''|", "'a|", "' |"]) {
    const started = performance.now();
    parseLiterals(part.repeat(size), "|");
    expect(performance.now() - started).toBeLessThan(5_000);
  }
});
