import { metadataKeys, type ValueForm } from "../notation/notation.js";
import { parseCount, parseFlag, parseNumber } from "../notation/numbers.js";
import { locate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

/** The value of a key with a meaning has the form that the key needs. */
export const invalidMetadataValue: Rule = ({ nodes }) =>
  nodes.metadata.flatMap(({ syntax: { key, value }, document, owner }) => {
    const meaning = metadataKeys.get(key.text);
    if (meaning === undefined || !meaning.on.includes(owner.kind)) return [];
    const expected = findExpected(meaning.form, value.text);
    if (expected === null) return [];
    return reportError(
      "invalid-metadata-value",
      locate(document, value),
      `\`${key.text}\` must be ${expected}, not \`${value.text}\``,
    );
  });

/** What the value should have been; null when it is fine. */
function findExpected(form: ValueForm, text: string): string | null {
  switch (form) {
    case "number":
      return parseNumber(text) === null ? "a number" : null;
    case "count":
      return parseCount(text) === null ? "a number of 0 or more" : null;
    case "flag":
      return parseFlag(text) === null ? "`true` or `false`" : null;
    case "pattern":
    case "text":
      return null;
  }
}
