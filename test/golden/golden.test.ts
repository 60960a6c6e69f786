import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { differenceOfTrees } from "../support/difference-of-trees.js";
import { drawSome } from "../support/draw-some.js";
import {
  emitCase,
  goldenCases,
  readTree,
  type GoldenCase,
} from "../support/golden-cases.js";
import { writeTree } from "../support/write-tree.js";

const isUpdate =
  process.env["UPDATE_GOLDEN"] === "1" && process.env["CI"] === undefined;

const cases = goldenCases().map((golden) => [golden.name, golden] as const);
const byName = new Map(cases);

/**
 * Returns what a case emits to the paths that a pattern matches, without the parts
 * that have their own tests: the copied runtime, and the script and style that all
 * explorers share.
 */
function emit(
  golden: GoldenCase,
  only = golden.only,
): ReadonlyMap<string, string> {
  return new Map(
    emitCase(golden)
      .filter(({ path }) => only.test(path))
      .filter(({ path }) => !/^runtime\/|^explorer\/explorer\./u.test(path))
      .map(({ path, text }) => [path, text]),
  );
}

describe("output of every emitter", () => {
  it.each(cases.filter(([, { base }]) => base === null))("%s", (_, golden) => {
    const emitted = emit(golden);
    if (isUpdate) {
      rmSync(golden.expected, { recursive: true, force: true });
      writeTree(golden.expected, emitted);
    }
    const expected = readTree(golden.expected);
    expect([...emitted.keys()].sort()).toEqual([...expected.keys()].sort());
    for (const [path, text] of emitted) {
      expect(text, `${golden.name}/${path}`).toBe(expected.get(path));
    }
  });

  it.each(cases.filter(([, { base }]) => base !== null))(
    "%s as the difference from its base",
    (_, golden) => {
      const base = byName.get(golden.base ?? "");
      if (base === undefined) throw new Error(`no case ${golden.base}`);
      const difference = differenceOfTrees(
        emit(base, golden.only),
        emit(golden),
      );
      if (isUpdate) writeFileSync(golden.expected, difference);
      expect(difference).not.toBe("");
      expect(difference).toBe(readFileSync(golden.expected, "utf8"));
    },
  );

  it("is the same in every run", () => {
    for (const [, golden] of drawSome(cases, 4)) {
      expect(emitCase(golden)).toEqual(emitCase(golden));
    }
  });
});
