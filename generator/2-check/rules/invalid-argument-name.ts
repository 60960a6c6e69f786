import { locate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

const ARGUMENT_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** webrpc takes any word here, and then generates code that does not compile. */
export const invalidArgumentName: Rule = ({ nodes }) =>
  nodes.arguments.flatMap(({ syntax: { name }, document }) => {
    if (name.text === "" || ARGUMENT_NAME.test(name.text)) return [];
    return reportError(
      "invalid-argument-name",
      locate(document, name),
      `\`${name.text}\` cannot be the name of an argument`,
      {
        notes: [
          "an argument's name begins with a letter or `_`, followed by letters, digits and `_`",
        ],
      },
    );
  });
