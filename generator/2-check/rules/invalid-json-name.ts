import { jsonNameOf } from "../notation/json-name.js";
import { findMetadata } from "../notation/metadata.js";
import { locate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

const JSON_NAME = /^[A-Za-z][A-Za-z0-9_]*$/;

/** `+ json` gives a name such as a field may have, or `-`. */
export const invalidJsonName: Rule = ({ nodes }) =>
  nodes.fields.flatMap(({ syntax, document }) => {
    const metadata = findMetadata(syntax, "json");
    if (metadata === undefined) return [];
    const name = jsonNameOf(syntax);
    const isEmpty = metadata.value.text === "";
    if (name === null || (JSON_NAME.test(name) && !isEmpty)) return [];
    return reportError(
      "invalid-json-name",
      locate(document, metadata.value),
      `\`${isEmpty ? '""' : name}\` cannot be the JSON name of a field`,
      {
        notes: [
          "a JSON name begins with a letter, followed by letters, digits and `_`; `-` leaves the field out",
        ],
      },
    );
  });
