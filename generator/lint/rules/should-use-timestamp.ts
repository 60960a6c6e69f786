import { resolveType } from "../../2-check/program/resolve-type.js";
import { isIntegerName } from "../../ir/scalars.js";
import { locate } from "../../2-check/report/report.js";
import { wordsOf } from "../facts/casing.js";
import type { LintRule } from "./rule.js";

const moments: ReadonlySet<string> = new Set([
  "at",
  "date",
  "time",
  "timestamp",
]);

/** Moments are `timestamp`: one form, and checked. */
export const shouldUseTimestamp: LintRule = {
  code: "should-use-timestamp",
  category: "guesses",
  find: (program) => {
    const { fields, arguments: given } = program.nodes;
    return [...fields, ...given].flatMap(({ syntax, document }) => {
      const words = wordsOf(syntax.name.text);
      const isMoment =
        moments.has(words.at(-1) ?? "") &&
        (words.length > 1 || words[0] === "timestamp");
      const type = resolveType(program, document, syntax.type);
      const isOther =
        type?.kind === "scalar" &&
        (type.name === "string" || isIntegerName(type.name));
      if (!isMoment || !isOther) return [];
      return {
        location: locate(document, syntax.type),
        message: `\`${syntax.name.text}\` looks like a moment, and is of type \`${type.name}\``,
        help: "make it a `timestamp`; this changes the wire unless it is one already",
      };
    });
  },
};
