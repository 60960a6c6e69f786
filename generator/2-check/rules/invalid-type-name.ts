import { locate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

const TYPE_NAME = /^[A-Z][A-Za-z0-9_]*$/;

/** Types begin with a capital, and are names in every target. */
export const invalidTypeName: Rule = ({ nodes }) =>
  [...nodes.structs, ...nodes.enums, ...nodes.aliases].flatMap(
    ({ syntax: { name }, document }) => {
      if (name.text === "" || TYPE_NAME.test(name.text)) return [];
      return reportError(
        "invalid-type-name",
        locate(document, name),
        `\`${name.text}\` cannot be the name of a type`,
        {
          notes: [
            "a type's name begins with a capital letter, followed by letters, digits and `_`",
          ],
        },
      );
    },
  );
