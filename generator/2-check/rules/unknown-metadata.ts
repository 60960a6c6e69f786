import { metadataKeys } from "../notation/notation.js";
import { locate, reportWarning } from "../report/report.js";
import {
  changingContract,
  didYouMean,
  joinNames,
} from "../report/did-you-mean.js";
import type { Rule } from "./rule.js";

/** What other languages call a constraint, and how its keys begin here. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ["min", "min"],
  ["max", "max"],
  ["regex", "pattern"],
  ["regexp", "pattern"],
  ["unique", "uniqueItems"],
]);

/**
 * Keys without a meaning are kept for others to read, and nothing is said,
 * unless the key is nearly one of ours, or a constraint in other languages:
 * who writes it would rely on a limit that nobody enforces.
 */
export const unknownMetadata: Rule = ({ nodes }) =>
  nodes.metadata.flatMap(({ syntax: { key }, document }) => {
    if (key.text.includes(".") || metadataKeys.has(key.text)) return [];
    const place = locate(document, key);
    const suggestion =
      translate(key.text) ?? didYouMean(key.text, metadataKeys.keys(), place);
    if (suggestion.help === undefined) return [];
    return reportWarning(
      "unknown-metadata",
      place,
      `\`${key.text}\` has no meaning`,
      changingContract(suggestion),
    );
  });

function translate(key: string): { readonly help: string } | undefined {
  const begin = otherNames.get(key.toLowerCase());
  if (begin === undefined) return undefined;
  const meant = [...metadataKeys.keys()].filter((each) =>
    each.startsWith(begin),
  );
  return { help: `did you mean ${joinNames(meant)}?` };
}
