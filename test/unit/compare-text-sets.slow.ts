import { describe, expect, it, test } from "vitest";
import {
  compareTextSets,
  type Containment,
  type TextSet,
} from "../../generator/pattern/compare-text-sets.js";
import { drawSome } from "../support/draw-some.js";
import { Random } from "../support/random.js";

const raw = String.raw;

function textSet(pattern: string, min = 0, max = Infinity): TextSet {
  return { patterns: [pattern], min, max };
}

function compare(inner: string, outer: string): Containment {
  return compareTextSets(textSet(inner), textSet(outer));
}

/** Returns the example in `inner` alone, or the kind of the result. */
function exampleOf(inner: TextSet, outer: TextSet): string {
  const result = compareTextSets(inner, outer);
  return result.kind === "not-contained" ? result.example : result.kind;
}

describe("compareTextSets", () => {
  it.each([
    ["^[a-y]+$", "^[a-z]+$", "z"],
    ["^0x[0-9a-f]{40}$", "^0x[0-9a-fA-F]{40}$", `0x${"a".repeat(39)}A`],
    ["^a|b$", "a|b", "0a"],
    ["^(?:a|b)*$", "^[abc]*$", "c"],
    [raw`^\p{Lu}$`, raw`^\p{L}$`, "a"],
    [raw`^\p{Script=Greek}$`, raw`^[\p{Script=Greek}a]$`, "a"],
    [raw`^[\u{1F600}-\u{1F64F}]$`, raw`^[😀-\u{1F650}]$`, "🙐"],
    [raw`\bcat\b`, "cat", "acat"],
    [raw`^a\b`, "^a", "aa"],
    ["^.$", "^[^]$", "\n"],
    ["^$", "^a?$", "a"],
    ["^(?:a{2}){1,3}$", "^a{2,6}$", "aaa"],
    ["^(?:|a)+$", "", "0"],
  ])("finds %s in %s", (inner, outer, example) => {
    expect(compare(outer, inner)).toEqual({ kind: "not-contained", example });
    expect(compare(inner, outer)).toEqual({ kind: "contained" });
  });

  it.each([
    ["[0-9]", raw`\d`],
    ["^a+$", "^aa*$"],
    ["^(?:a|ab)(?:c|bc)$", "^(?:ab{0,2}c)$"],
    ["^(?:ab)*a$", "^a(?:ba)*$"],
    [raw`^\w+\b$`, raw`^\w+$`],
    ["a^", "b$c"],
  ])("finds that %s and %s are equal", (one, other) => {
    expect(compare(one, other)).toEqual({ kind: "contained" });
    expect(compare(other, one)).toEqual({ kind: "contained" });
  });

  it("takes lengths into account", () => {
    const inner = textSet("^[ab]*$", 2, 5);
    expect(exampleOf(inner, textSet("^a?b?.{2}"))).toBe("contained");
    expect(exampleOf(inner, textSet("^[ab]{0,4}$"))).toBe("aaaaa");
    expect(exampleOf(inner, textSet("^[ab]{3,}$"))).toBe("aa");
    expect(exampleOf(inner, textSet("", 0, 4))).toBe("aaaaa");
    expect(exampleOf(inner, textSet("", 3))).toBe("aa");
    expect(exampleOf(textSet("^a{7}$"), textSet("", 3, 7))).toBe("contained");
    expect(exampleOf(textSet("^😀{2}$"), textSet("", 2, 2))).toBe("contained");
    const long = { patterns: [], min: 0, max: 5000 };
    expect(exampleOf(long, textSet("", 0, 4000))).toHaveLength(4001);
  });

  it("takes several patterns together", () => {
    const inner = { ...textSet("a"), patterns: ["^[ab]+$", "^[bc]+$"] };
    expect(exampleOf(inner, textSet("^b+$"))).toBe("contained");
    const outer = { ...textSet("b"), patterns: ["b", "bb"] };
    expect(exampleOf(inner, outer)).toBe("b");
  });

  it.each([
    ["^(?=a)a$", "^a$"],
    ["^(?<!b)a$", "^a$"],
    [raw`^(a|b)\1$`, "^[ab]{2}$"],
    [raw`^(?<x>a)\k<x>$`, "^[ab]{2}$"],
    ["^[ab]*a[ab]{30}$", "^[ab]*b[ab]{30}$"],
    ["^((a{1000}){1000}){1000}$", "^a*$"],
    [raw`^((\b){1000000}){1000000}a$`, "^a$"],
  ])("gives up on %s", (inner, outer) => {
    expect(compare(inner, outer)).toEqual({ kind: "unclear" });
  });

  it("is not confused by escaped backslashes", () => {
    expect(compare(raw`^\\1$`, raw`^\\\d$`)).toEqual({ kind: "contained" });
  });
});

/** Sets of characters, each before one that contains it. */
const sets = [
  ["a", "a"],
  ["[ab]", "[a-d]"],
  ["[b-d]", "[^a]"],
  [raw`\d`, raw`\w`],
  [".", "[^]"],
  [raw`\p{Lu}`, raw`\p{L}`],
  [raw`[^\W\d]`, raw`\w`],
  ["é", raw`[\u00c0-\u00ff]`],
  ["c", "[bc😀]"],
] as const;

/** Draws two expressions, the second of which matches whatever the first does. */
function drawPair(random: Random, depth: number): readonly [string, string] {
  const draw = () => drawPair(random, depth - 1);
  if (depth === 0 || random.chance(0.2)) {
    const [narrow, wide] = random.oneOf(sets);
    return random.chance(0.6) ? [narrow, narrow] : [narrow, wide];
  }
  if (random.chance(0.4)) {
    const items = Array.from({ length: 1 + random.below(3) }, draw);
    const boundary = random.chance(0.1) ? raw`\b` : "";
    const kept = random.chance(0.7) ? boundary : "";
    return [
      items.map(([narrow]) => narrow).join(boundary),
      items.map(([, wide]) => wide).join(kept),
    ];
  }
  if (random.chance(0.5)) {
    const items = Array.from({ length: 1 + random.below(3) }, draw);
    const more = random.chance(0.2) ? [draw()] : [];
    const join = (texts: readonly string[]): string => `(?:${texts.join("|")})`;
    return [
      join(items.map(([narrow]) => narrow)),
      join([...items, ...more].map(([, wide]) => wide)),
    ];
  }
  const [narrow, wide] = draw();
  const [min, size] = [random.below(3), random.below(3)];
  const fewer = random.chance(0.2) ? Math.max(0, min - 1) : min;
  const more = random.chance(0.2) ? "" : String(min + size + random.below(2));
  return [
    `(?:${narrow}){${min},${min + size}}`,
    `(?:${wide}){${fewer},${more}}`,
  ];
}

function anchor(text: string, random: Random): string {
  return random.chance(0.9) ? `^(?:${text})$` : text;
}

/** All strings of up to three of these characters. */
const shortTexts = Array.from("abdA0 é😀\n", (letter) => letter).reduce(
  (texts, _, index, letters) =>
    index > 2
      ? texts
      : [
          ...new Set(
            texts.flatMap((text) =>
              ["", ...letters].map((each) => text + each),
            ),
          ),
        ],
  [""],
);

/** Finds a string that matches only the first of two expressions. */
function findExample(inner: string, outer: string): string | undefined {
  const [one, other] = [new RegExp(inner, "u"), new RegExp(outer, "u")];
  return shortTexts.find((text) => one.test(text) && !other.test(text));
}

/** Draws a pair, and whether the second expression contains the first. */
function drawCase(seed: number): readonly [string, string, boolean] {
  const random = new Random(seed);
  for (;;) {
    const [narrow, wide] = drawPair(random, 3);
    const outer = anchor(wide, random);
    const inner = outer === wide ? anchor(narrow, random) : `^(?:${narrow})$`;
    if (random.chance(0.5)) return [inner, outer, true];
    // Without an example, both expressions may match the same strings.
    if (findExample(outer, inner) !== undefined) return [outer, inner, false];
  }
}

test("patterns are compared correctly", () => {
  const seeds = drawSome(
    Array.from({ length: 1_000 }, (_, seed) => seed),
    20,
  );
  const unclear = seeds.filter((seed) => {
    const [inner, outer, isContained] = drawCase(seed);
    const result = compare(inner, outer);
    const message = `${inner} in ${outer}`;
    if (result.kind === "unclear") return true;
    expect(result.kind === "contained", message).toBe(isContained);
    if (result.kind === "not-contained") {
      expect(result.example, message).toMatch(new RegExp(inner, "u"));
      expect(result.example, message).not.toMatch(new RegExp(outer, "u"));
    } else {
      expect(findExample(inner, outer), message).toBeUndefined();
    }
    return false;
  });
  expect(unclear.length).toBeLessThanOrEqual(seeds.length / 100);
});
