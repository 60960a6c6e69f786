import { locate } from "../../2-check/report/report.js";
import { wordsOf } from "../facts/casing.js";
import type { LintRule } from "./rule.js";
import { isVerb } from "../facts/verbs.js";

/** A method does something; its name begins with what. */
export const methodVerb: LintRule = {
  code: "method-verb",
  category: "guesses",
  find: ({ nodes }) =>
    nodes.methods.flatMap(({ syntax: { name }, document }) => {
      const [first = ""] = wordsOf(name.text);
      if (isVerb(first)) return [];
      return {
        location: locate(document, name),
        message: `\`${name.text}\` does not begin with a verb`,
        help: "say first what it does, as `GetStatus` and `IsValid` do",
      };
    }),
};
