import { locate, reportWarning } from "../report/report.js";
import { didYouMean } from "../report/did-you-mean.js";
import type { Rule } from "./rule.js";

/** Other formats are kept for others to read, and are not enforced. */
export const unknownFormat: Rule = ({ nodes }) =>
  nodes.metadata.flatMap(({ syntax: { key, value }, document }) => {
    if (key.text !== "format" || value.text === "uri") return [];
    const place = locate(document, value);
    return reportWarning(
      "unknown-format",
      place,
      `format \`${value.text}\` is not enforced`,
      {
        notes: ["the only format is `uri`, an absolute http or https URL"],
        ...didYouMean(value.text, ["uri"], place),
      },
    );
  });
