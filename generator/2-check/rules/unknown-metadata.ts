import { metadataKeys } from "../notation.js";
import { locate, reportWarning } from "../report.js";
import { didYouMean } from "../did-you-mean.js";
import type { Rule } from "./rule.js";

/**
 * Keys without a meaning are kept for others to read, and nothing is said,
 * unless the key is nearly one of ours.
 */
export const unknownMetadata: Rule = ({ nodes }) =>
  nodes.metadata.flatMap(({ syntax: { key }, document }) => {
    if (key.text.includes(".") || metadataKeys.has(key.text)) return [];
    const place = locate(document, key);
    const suggestion = didYouMean(key.text, metadataKeys.keys(), place);
    if (suggestion.help === undefined) return [];
    return reportWarning(
      "unknown-metadata",
      place,
      `\`${key.text}\` has no meaning`,
      suggestion,
    );
  });
