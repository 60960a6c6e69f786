import type { Fix } from "../../diagnostics/diagnostic.js";
import { editDistance, suggest } from "../../diagnostics/suggest.js";
import type { Location } from "../../source/source.js";

/** The way out of a mistyped word, as parts of a diagnostic. */
export interface Suggestion {
  readonly help?: string;
  readonly fix?: Fix;
}

/**
 * The help line about a mistyped word; nothing when no candidate is close.
 * Where only one can be meant, and the word stands at `location` as it is, it
 * can also be put there.
 * Output: `` { help: "did you mean `string`?", fix } `` or `{}`.
 */
export function didYouMean(
  word: string,
  candidates: Iterable<string>,
  location?: Location,
): Suggestion {
  const meant = suggest(word, candidates);
  const [first, second] = meant;
  if (first === undefined) return {};
  const help = `did you mean ${joinNames(meant)}?`;
  const isSure = second === undefined || isMuchNearer(word, first, second);
  const isFixable = isSure && location && textAt(location) === word;
  return isFixable ? { help, fix: { location, replacement: first } } : { help };
}

/** The same for a word that has no effect, and gets one by the fix. */
export function changingContract(suggestion: Suggestion): Suggestion {
  const { fix } = suggestion;
  return fix
    ? { ...suggestion, fix: { ...fix, changesContract: true } }
    : suggestion;
}

/** E.g. `` `a`, `b` or `c` ``. */
export function joinNames(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``);
  const others = quoted.slice(0, -1).join(", ");
  return `${others ? `${others} or ` : ""}${quoted.at(-1) ?? ""}`;
}

/** Off by one letter or less, and the next one by more. */
function isMuchNearer(word: string, first: string, second: string): boolean {
  const distance = distanceOf(word, first);
  return distance <= 1 && distance < distanceOf(word, second);
}

function distanceOf(a: string, b: string): number {
  return editDistance(a.toLowerCase(), b.toLowerCase());
}

function textAt({ source, span }: Location): string {
  return source.text.slice(span.start, span.end);
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
  return (word, candidates, location) => {
    if (left === 0) return {};
    left -= 1;
    return didYouMean(word, candidates, location);
  };
}
