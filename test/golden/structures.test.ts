import { describe, expect, it, vi } from "vitest";
import type { Structure } from "../../generator/4-emit/typescript/text/structures.js";
import { drawSome } from "../support/draw-some.js";
import { emitCase, goldenCases } from "../support/golden-cases.js";
import { printByMorph, syntaxOf } from "../support/syntax-of.js";

/** Every structure that an emitter declared, with the output of our printer. */
const printed = vi.hoisted((): [Structure, string][] => []);

vi.mock(
  "../../generator/4-emit/typescript/text/print-structure.js",
  async (importOriginal) => {
    const { printStructure } =
      await importOriginal<
        typeof import("../../generator/4-emit/typescript/text/print-structure.js")
      >();
    return {
      printStructure: ((structure, form) => {
        const text = printStructure(structure, form);
        if (text !== null) printed.push([structure, text]);
        return text;
      }) satisfies typeof printStructure,
    };
  },
);

describe("structures of the emitters", () => {
  const cases = goldenCases().filter(
    ({ base, options }) => base === null && options.language !== "javascript",
  );

  it.each(drawSome(cases, 8).map((golden) => [golden.name, golden] as const))(
    "have the same syntax as the output of ts-morph: %s",
    (_, golden) => {
      printed.length = 0;
      emitCase(golden);
      expect(printed).not.toEqual([]);
      const ours = printed.map(([, text]) => text);
      const theirs = printed.map(([structure]) => printByMorph(structure));
      expect(syntaxOf(ours.join("\n"))).toEqual(syntaxOf(theirs.join("\n")));
    },
  );
});
