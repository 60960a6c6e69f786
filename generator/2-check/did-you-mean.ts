import { suggest } from "../diagnostics/suggest.js";

/**
 * The help line about a mistyped word; nothing when no candidate is close.
 * Output: `` { help: "did you mean `string`?" } `` or `{}`.
 */
export function didYouMean(
  word: string,
  candidates: Iterable<string>,
): { readonly help?: string } {
  const names = suggest(word, candidates).map((name) => `\`${name}\``);
  const last = names.at(-1);
  if (last === undefined) return {};
  const others = names.slice(0, -1).join(", ");
  return { help: `did you mean ${others ? `${others} or ` : ""}${last}?` };
}

/** Nobody reads more suggestions than these, and each one takes a while. */
const SUGGESTIONS_PER_RULE = 20;

/**
 * {@link didYouMean} for a rule whose candidates are many: it falls silent
 * after some calls, so that a document full of unknown names takes no longer
 * than another.
 */
export function createSuggester(): typeof didYouMean {
  let left = SUGGESTIONS_PER_RULE;
  return (word, candidates) => {
    if (left === 0) return {};
    left -= 1;
    return didYouMean(word, candidates);
  };
}
