import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { walkGraph } from "../../generator/2-check/program/graph.js";
import {
  createSuggester,
  didYouMean,
} from "../../generator/2-check/report/did-you-mean.js";
import { findDuplicates } from "../../generator/2-check/report/duplicates.js";
import {
  parseCount,
  parseFlag,
  parseNumber,
} from "../../generator/2-check/notation/numbers.js";
import {
  parseOrigins,
  splitOrigins,
} from "../../generator/2-check/notation/origins.js";
import {
  normalizeBasePath,
  parseBasePath,
} from "../../generator/2-check/notation/base-path.js";
import {
  parsePathTemplate,
  pathParameters,
} from "../../generator/ir/path-template.js";

describe("numbers", () => {
  test.each([
    ["0", 0],
    ["-5", -5],
    ["+5", 5],
    ["007", 7],
    ["1.5", 1.5],
    ["-1e3", -1000],
    ["9007199254740991", 9007199254740991],
    ["9007199254740993", 9007199254740993n],
    ["-18446744073709551615", -18446744073709551615n],
    ["+18446744073709551615", 18446744073709551615n],
    ["", null],
    ["abc", null],
    ["0x10", null],
    ["1_000", null],
    [".5", null],
    ["5.", null],
    ["1e999", null],
    ["NaN", null],
    ["Infinity", null],
  ])("%s is %s", (text, expected) => {
    expect(parseNumber(text)).toBe(expected);
  });

  test("integers of any size are exact", () => {
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 80n), 2n ** 80n), (value) => {
        expect(BigInt(parseNumber(String(value)) ?? 0)).toBe(value);
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    ["0", 0],
    ["100", 100],
    ["-1", null],
    ["1.5", null],
    ["9007199254740993", null],
    ["many", null],
  ])("the count %s is %s", (text, expected) => {
    expect(parseCount(text)).toBe(expected);
  });

  test("flags are `true` and `false`", () => {
    expect(["true", "false", "yes", ""].map(parseFlag)).toEqual([
      true,
      false,
      null,
      null,
    ]);
  });
});

describe("paths", () => {
  test.each([
    ["", "/"],
    ["rpc", "/rpc/"],
    ["/rpc", "/rpc/"],
    ["/rpc/", "/rpc/"],
    ["/rpc//v1", "/rpc//v1/"],
    ["/", "/"],
  ])("`%s` is normalized to `%s`", (text, expected) => {
    expect(normalizeBasePath(text)).toBe(expected);
  });

  test("a segment can be a parameter with text around it", () => {
    const path = parsePathTemplate("/a/{b}/c-{d}.json/{e}{f}/");
    expect(path.segments).toEqual([
      { kind: "literal", text: "a" },
      { kind: "parameter", prefix: "", name: "b", suffix: "" },
      { kind: "parameter", prefix: "c-", name: "d", suffix: ".json" },
      { kind: "literal", text: "{e}{f}" },
      { kind: "literal", text: "" },
    ]);
    expect(pathParameters(path)).toEqual(["b", "d"]);
  });

  test("the last slash of a base path is not part of it", () => {
    const literals = (text: string): readonly unknown[] =>
      parseBasePath(text).segments.map((each) => "text" in each && each.text);
    expect(literals("/")).toEqual([]);
    expect(literals("/rpc/v1/")).toEqual(["rpc", "v1"]);
  });
});

describe("origins", () => {
  test("are read only from text that starts with `origin:`", () => {
    expect(parseOrigins("origin: stated 4.4; public paging")).toEqual([
      { kind: "stated", detail: "4.4" },
      { kind: "public", detail: "paging" },
    ]);
    expect(parseOrigins("  origin:decided")).toEqual([
      { kind: "decided", detail: "" },
    ]);
    expect(parseOrigins("The origin: stated 4.4")).toBeNull();
    expect(parseOrigins("origin:")).toBeNull();
    expect(parseOrigins("origin: stated 1; guessed 2")).toBeNull();
  });

  test("are split at `;`, whatever the content", () => {
    expect(splitOrigins("origin: guessed;; stated  a b ")).toEqual([
      ["guessed", ""],
      ["stated", "a b"],
    ]);
    expect(splitOrigins("no origin")).toBeNull();
  });
});

describe("suggestions", () => {
  test("name one, two, or many candidates", () => {
    expect(didYouMean("Adress", ["Address", "User"])).toEqual({
      help: "did you mean `Address`?",
    });
    expect(didYouMean("user", ["User", "Users", "Purse", "Wallet"])).toEqual({
      help: "did you mean `User` or `Users`?",
    });
    expect(didYouMean("abc", ["abd", "abe", "abf"])).toEqual({
      help: "did you mean `abd`, `abe` or `abf`?",
    });
    expect(didYouMean("Address", ["User"])).toEqual({});
  });

  test("end at a maximum number", () => {
    const suggest = createSuggester();
    const answers = Array.from({ length: 30 }, () => suggest("Usr", ["User"]));
    expect(answers.filter(({ help }) => help !== undefined)).toHaveLength(20);
  });
});

test("duplicates refer to the first occurrence of their key", () => {
  const words = ["a", "", "b", "A", "a", ""];
  expect(findDuplicates(words, (word) => word.toLowerCase())).toEqual([
    { first: "a", again: "A", key: "a" },
    { first: "a", again: "a", key: "a" },
  ]);
  expect(findDuplicates(words, () => null)).toEqual([]);
});

describe("cycles", () => {
  const find = (graph: Record<string, readonly string[]>) =>
    walkGraph(Object.keys(graph), (from) =>
      (graph[from] ?? []).map((to) => ({ from, to, via: `${from}${to}` })),
    ).cycles.map((edges) => edges.map(({ via }) => via).join(" "));

  test("are not found in an acyclic graph", () => {
    expect(find({ a: ["b", "c"], b: ["d"], c: ["d"], d: [] })).toEqual([]);
  });

  test("are each found once, with their edges", () => {
    expect(find({ a: ["a"] })).toEqual(["aa"]);
    expect(find({ x: ["a"], a: ["b"], b: ["c"], c: ["a"] })).toEqual([
      "ab bc ca",
    ]);
    expect(find({ a: ["b", "c"], b: ["a"], c: ["a"] })).toEqual([
      "ab ba",
      "ac ca",
    ]);
  });

  test("nodes finish after their successors", () => {
    const edges = new Map([
      ["a", ["b", "c"]],
      ["b", ["d"]],
    ]);
    const { finished } = walkGraph(["a", "e"], (from) =>
      (edges.get(from) ?? []).map((to) => ({ from, to, via: to })),
    );
    expect([...finished]).toEqual(["d", "b", "c", "a", "e"]);
  });

  test("can be very long", () => {
    const count = 50_000;
    const nodes = Array.from({ length: count }, (_, index) => index);
    const { cycles, finished } = walkGraph(nodes, (from) => [
      { from, to: (from + 1) % count, via: from },
    ]);
    expect(cycles.map((edges) => edges.length)).toEqual([count]);
    expect(finished.size).toBe(count);
  });
});
