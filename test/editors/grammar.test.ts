import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { topLevelWords } from "../../generator/1-parse/expect.js";
import { scalars } from "../../generator/ir/scalars.js";
import type { Span } from "../../generator/source/source.js";
import { drawSome } from "../support/draw-some.js";
import { describeAll, parse, ridlIn, traceless } from "./documents.js";
import { readTree, type Marked } from "./read-tree.js";
import { loadGrammar, type ScopedToken } from "./tokenize.js";

const paths = drawSome(ridlIn("schema", "test"), 3);

let tokenize: (text: string) => readonly ScopedToken[];
beforeAll(async () => {
  tokenize = await loadGrammar();
});

/** The scopes that correspond to parts of the tree. */
const scopeOf = {
  comment: /^comment\.line/,
  string: /^string\.quoted/,
  keyword: /^keyword\.(?:declaration|control|other\.header)/,
  "core type": /^support\.type\.primitive/,
  type: /^entity\.name\.type$/,
} as const;

/**
 * Returns what the grammar finds in a text. Adjacent pieces with the same scope
 * are merged.
 */
function readScopes(text: string): Marked[] {
  return Object.entries(scopeOf).flatMap(([what, pattern]) => {
    const spans: { start: number; end: number }[] = [];
    for (const { start, end, scopes } of tokenize(text)) {
      if (!scopes.some((scope) => pattern.test(scope))) continue;
      const last = spans.at(-1);
      if (last?.end === start) last.end = end;
      else spans.push({ start, end });
    }
    return spans.map((span) => ({ what, ...trimmed(text, span) }));
  });
}

function trimmed(text: string, { start, end }: Span): Span {
  return { start, end: start + text.slice(start, end).trimEnd().length };
}

describe("the grammar", () => {
  test("agrees with the parser on documents without errors", () => {
    const whole = paths
      .map(parse)
      .filter(({ isBroken }) => !isBroken)
      .map(({ document }) => document)
      .filter(({ source }) => source.path !== traceless);
    expect(whole.length).toBeGreaterThan(80);
    for (const document of whole) {
      const { path, text } = document.source;
      expect(describeAll(text, readScopes(text)), path).toEqual(
        describeAll(text, readTree(document)),
      );
    }
  });

  test("agrees with the parser on the readable parts of broken documents", () => {
    const broken = paths.map(parse).filter(({ isBroken }) => isBroken);
    expect(broken.length).toBeGreaterThan(15);
    for (const { document } of broken) {
      const { path, text } = document.source;
      const scopes = new Set(describeAll(text, readScopes(text)));
      const read = describeAll(text, readTree(document));
      expect(
        read.filter((each) => !scopes.has(each)),
        path,
      ).toEqual([]);
    }
  });

  test("agrees with the parser on core types and declaration keywords", () => {
    const fields = Object.keys(scalars).map((name) => `  - a: ${name}`);
    const text = [
      ...topLevelWords.map((word) => `${word} = x`),
      ...fields,
    ].join("\n");
    const found = readScopes(text).map(({ what }) => what);
    expect(found).toEqual([
      ...topLevelWords.map(() => "keyword"),
      ...fields.map(() => "core type"),
    ]);
  });
});

test("assigns the expected scopes to each construct", async () => {
  const text = readFileSync(join(import.meta.dirname, "scopes.ridl"), "utf8");
  const lines = tokenize(text)
    .filter(({ scopes, start, end }) => scopes.length > 0 && end > start)
    .map(
      ({ scopes, start, end }) =>
        `${text.slice(start, end).padEnd(28)} ${scopes.join(" > ")}`,
    );
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("scopes.txt");
});
