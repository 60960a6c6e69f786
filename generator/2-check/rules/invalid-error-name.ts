import { locate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

const ERROR_NAME = /^[A-Z][A-Za-z0-9_]*$/;

/** Errors begin with a capital; `Webrpc…` is kept for the built-in ones. */
export const invalidErrorName: Rule = ({ nodes }) =>
  nodes.errors.flatMap(({ syntax: { name }, document }) => {
    const isBuiltIn = name.text.toLowerCase().startsWith("webrpc");
    const isName = name.text === "" || ERROR_NAME.test(name.text);
    if (isName && !isBuiltIn) return [];
    return reportError(
      "invalid-error-name",
      locate(document, name),
      `\`${name.text}\` cannot be the name of an error`,
      {
        notes: [
          isBuiltIn
            ? "names that begin with `Webrpc` belong to the built-in errors"
            : "an error's name begins with a capital letter, followed by letters, digits and `_`",
        ],
      },
    );
  });
