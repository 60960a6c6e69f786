import { locate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

const METHOD_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** webrpc takes any word here, and then generates code that does not compile. */
export const invalidMethodName: Rule = ({ nodes }) =>
  nodes.methods.flatMap(({ syntax: { name, isProxy }, document }) => {
    if (isProxy || name.text === "" || METHOD_NAME.test(name.text)) return [];
    return reportError(
      "invalid-method-name",
      locate(document, name),
      `\`${name.text}\` cannot be the name of a method`,
      {
        notes: [
          "a method's name begins with a letter or `_`, followed by letters, digits and `_`",
        ],
      },
    );
  });
