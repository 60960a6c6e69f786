import type { Word } from "../../1-parse/ast.js";
import type { Declared, DeclaredType } from "../../2-check/program/program.js";
import { findType } from "../../2-check/program/reach.js";
import { inNodes, relate } from "../../2-check/report/finding.js";
import { wordsOf } from "../facts/casing.js";
import { isVerb } from "../facts/verbs.js";
import type { LintRules } from "./rule.js";

/** Rules about methods and their messages. */
export const methodRules = {
  "method-succinct": inNodes(
    ["methods"],
    ({ syntax: { input, isProxy, name, output } }) =>
      !isProxy &&
      input.arguments.length + output.arguments.length > 0 && {
        at: name,
        message: `\`${name.text}\` lists arguments instead of using structs`,
        help: `declare \`${name.text}Request\` and \`${name.text}Response\`, and write \`${name.text}(${name.text}Request) => (${name.text}Response)\`; the wire stays the same`,
      },
  ),

  "method-verb": inNodes(
    ["methods"],
    ({ syntax: { name } }) =>
      !isVerb(wordsOf(name.text)[0] ?? "") && {
        at: name,
        message: `\`${name.text}\` does not begin with a verb`,
        help: "begin the name with a verb, as in `GetStatus` or `IsValid`",
      },
  ),

  "request-response-unique": (program) => {
    const first = new Map<DeclaredType, Declared<Word>>();
    return inNodes(["messages"], ({ syntax: { succinct }, document }) => {
      const type = findType(program, document, succinct?.text);
      if (succinct === undefined || type === undefined) return false;
      const before = first.get(type);
      if (before === undefined) first.set(type, { syntax: succinct, document });
      return (
        before !== undefined && {
          at: succinct,
          message: `\`${succinct.text}\` is also used by another method`,
          related: [relate(before, before.syntax, "first used here")],
          help: "declare a separate struct for each request and each response",
        }
      );
    })(program);
  },
} satisfies LintRules;
