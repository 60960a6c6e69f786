import type { Message } from "../../1-parse/ast.js";
import { locate } from "../../2-check/report/report.js";
import type { LintRule } from "./rule.js";

/** Structs can grow, and have docs and limits; argument lists cannot. */
export const methodSuccinct: LintRule = {
  code: "method-succinct",
  category: "standard",
  find: ({ nodes }) =>
    nodes.methods
      .filter(({ syntax }) => !syntax.isProxy)
      .filter(({ syntax }) => isList(syntax.input) || isList(syntax.output))
      .map(({ syntax: { name }, document }) => ({
        location: locate(document, name),
        message: `\`${name.text}\` lists arguments where structs would do`,
        help: `declare \`${name.text}Request\` and \`${name.text}Response\`, and write \`${name.text}(${name.text}Request) => (${name.text}Response)\`; the wire stays the same`,
      })),
};

function isList(message: Message): boolean {
  return message.arguments.length > 0;
}
