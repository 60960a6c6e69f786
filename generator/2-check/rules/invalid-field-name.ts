import { locate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

const FIELD_NAME = /^[A-Za-z][A-Za-z0-9_]*$/;

/** Fields begin with a letter, as webrpc demands. */
export const invalidFieldName: Rule = ({ nodes }) =>
  nodes.fields.flatMap(({ syntax: { name }, document }) => {
    if (name.text === "" || FIELD_NAME.test(name.text)) return [];
    return reportError(
      "invalid-field-name",
      locate(document, name),
      `\`${name.text}\` cannot be the name of a field`,
      {
        notes: [
          "a field's name begins with a letter, followed by letters, digits and `_`",
        ],
      },
    );
  });
