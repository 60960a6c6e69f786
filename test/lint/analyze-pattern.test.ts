import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  analyzePattern,
  isHarmless,
} from "../../generator/pattern/time/analyze-pattern.js";
import type { Pattern } from "../../generator/pattern/pattern.js";
import { countSteps, printExpression } from "./backtracking.js";

const raw = String.raw;

describe("finds exponential expressions", () => {
  test.each([
    raw`^([0-9]+)+$`,
    raw`^(a|a)*$`,
    raw`^(a|aa)+$`,
    raw`^(a*)*$`,
    raw`^(a+b?)*$`,
    raw`^(\w+\s?)*$`,
    raw`(x+x+)+y`,
    raw`^(([a-z])+.)+[A-Z]([a-z])+$`,
    raw`^([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+$`,
    raw`^(?=(a+)+b)a*$`,
    raw`^(?!(a|ab?)*c)a*$`,
    raw`^(\p{L}+\p{N}*)*$`,
    raw`^(\u{61}|a)*$`,
    raw`^([^b]|a)*$`,
    raw`^(.|\n|\s)*$`,
    raw`^(ab|a|b)*$`,
    raw`^(?<word>a+)*?$`,
    raw`^(a{0,100}){0,100}$`,
    raw`^((((((a+)+)+)+)+)+)+$`,
    raw`^(😀|\p{Emoji})*$`,
  ])("%s", (source) => {
    expect(analyzePattern(source, 10).kind).toBe("exponential");
  });
});

describe("finds polynomial expressions", () => {
  test.each([
    [raw`^.*.*=x$`, 2],
    [raw`^a*a*$`, 2],
    [raw`^a*b?a*$`, 2],
    [raw`^\d+\w*\s?\w*!$`, 3],
    [raw`^(.*a){12}$`, 12],
    [raw`^(?:a*)(?:a|b)*a+$`, 3],
  ])("%s", (source, power) => {
    const verdict = analyzePattern(source, Infinity);
    expect(verdict).toMatchObject({ kind: "polynomial", power });
  });

  test("counts steps according to the limits of repetitions", () => {
    const steps = (source: string, maxLength: number): unknown =>
      analyzePattern(source, maxLength);
    expect(steps("^a*a*$", 100)).toMatchObject({ steps: 10_000 });
    expect(steps("^a{0,30}a*$", 100)).toMatchObject({ steps: 3_000 });
    expect(steps("^a{0,30}a*$", Infinity)).toMatchObject({ steps: Infinity });
  });
});

describe("finds counts with too many paths", () => {
  test.each([
    raw`^([A-Za-z]{1,15} ?){1,10}$`,
    raw`^(a?){30}a{30}$`,
    raw`^([a-z][0-9]{1,9}[0-9]?[0-9]?){1,15}$`,
    raw`(\w{1,9}-?){1,9}!`,
    raw`^x(?=([a-z]{1,15} ?){1,10}$)`,
    raw`^x(?<!y([a-z]{1,15} ?){1,10})$`,
  ])("%s", (source) => {
    expect(analyzePattern(source, 160)).toEqual({ kind: "many-paths" });
  });

  test.each([
    raw`^([A-Za-z]{1,15}){1,3}$`,
    raw`^[A-Za-z]{1,15}( [A-Za-z]{1,15}){0,9}$`,
    raw`^(\d{1,3}\.){3}\d{1,3}$`,
    raw`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?){1,8}$`,
    raw`^([0-9a-f]{1,4}:){1,7}[0-9a-f]{1,4}$`,
    raw`\d{1,9}-\d{1,9}`,
  ])("not %s", (source) => {
    expect(isHarmless(source, 253)).toBe(true);
  });
});

describe("accepts fast expressions", () => {
  test.each([
    raw`^0x[0-9a-fA-F]{40}$`,
    raw`^0x[0-9a-fA-F]*$`,
    raw`^(0x[0-9a-fA-F]*)?$`,
    raw`^[0-9]+$`,
    raw`^[0-9A-Za-z][0-9A-Za-z-]*$`,
    raw`^[A-Za-z_$][0-9A-Za-z_$]*[(].*[)]$`,
    raw`^[a-z0-9]+(-[a-z0-9]+)*$`,
    raw`^(\d+,)*\d+$`,
    raw`^"(?:[^"\\]|\\.)*"$`,
    raw`^(?=.*\d)(?=.*[a-z]).{4,8}$`,
    raw`^[a-z]{1,63}(\.[a-z]{1,63})*$`,
    raw`^\d{1,3}(,\d{3})*(\.\d+)?$`,
    raw`^(a?)*$`,
    raw`^(a|b)*$`,
    raw`^([^a]|a)*$`,
    raw`^.*$`,
    // These expressions match regardless of the text that follows.
    raw`^(a|a)*`,
    raw`a*a*`,
    raw`^(?:)*$`,
    raw`^(?:){5}$`,
    raw`^[]*$`,
    "",
  ])("%s", (source) => {
    expect(analyzePattern(source, Infinity)).toEqual({ kind: "fast" });
  });
});

describe("an expression", () => {
  test.each([
    ["that nests too deeply", "(".repeat(500) + "a" + ")".repeat(500)],
    ["that repeats too often", "^(a{1000}){1000}$"],
    ["with too many choices", `^(${"a?".repeat(900)})*$`],
    ["that is too long", `^${"a".repeat(5000)}$`],
  ])("%s is unclear", (_, source) => {
    expect(analyzePattern(source, Infinity)).toEqual({ kind: "unclear" });
  });

  test("is analyzed quickly even if it has many choices", () => {
    const source = `^${"(a|b|ab)*".repeat(40)}$`;
    const start = process.cpuUsage();
    analyzePattern(source, Infinity);
    expect(process.cpuUsage(start).user).toBeLessThan(10_000_000);
  });
});

const tree = fc.letrec<{ node: Pattern; letter: Pattern }>((tie) => ({
  letter: fc
    .constantFrom("a", "b")
    .map((text): Pattern => ({ kind: "character", text })),
  node: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    tie("letter"),
    fc
      .array(tie("node"), { minLength: 1, maxLength: 3 })
      .map((items): Pattern => ({ kind: "sequence", items })),
    fc
      .array(tie("node"), { minLength: 2, maxLength: 2 })
      .map((items): Pattern => ({ kind: "choice", items })),
    fc
      .record({
        item: tie("node"),
        limits: fc.constantFrom([0, Infinity], [1, Infinity], [0, 1], [2, 2]),
      })
      .map(({ item, limits: [min = 0, max = 0] }): Pattern => {
        return { kind: "repetition", item, min, max };
      }),
  ),
}));

/** Returns all strings of `a` and `b` up to a given length, shortest first. */
function texts(maxLength: number): readonly string[] {
  const all = [""];
  for (const text of all) {
    if (text.length < maxLength) all.push(`${text}a`, `${text}b`);
  }
  return all;
}

const maxSteps = 100_000;

/**
 * Returns whether repeating a part makes the rejection of a string
 * disproportionately slow.
 */
function isSuperlinear(
  pattern: Pattern,
  prefix: string,
  part: string,
): boolean {
  const [few = 0, many = 0] = [20, 60].map((count) =>
    countSteps(pattern, `${prefix}${part.repeat(count)}c`, maxSteps),
  );
  return many >= maxSteps || many > few * 4;
}

test("agrees with the measured number of steps", () => {
  const short = texts(3);
  const parts = texts(4).slice(1);
  const long = texts(7);
  fc.assert(
    fc.property(tree.node, (pattern) => {
      const source = `^${printExpression(pattern)}$`;
      const verdict = analyzePattern(source, Infinity);
      const isSlow =
        "repeated" in verdict
          ? long.some((text) =>
              isSuperlinear(pattern, text, verdict.repeated ?? ""),
            )
          : short.some((text) =>
              parts.some((part) => isSuperlinear(pattern, text, part)),
            );
      expect([source, isSlow]).toEqual([source, verdict.kind !== "fast"]);
    }),
    { numRuns: 300 },
  );
});
