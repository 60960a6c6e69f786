import type { Fix } from "../../diagnostics/diagnostic.js";
import { listNames } from "../../diagnostics/names.js";
import { editDistance, suggest } from "../../diagnostics/suggest.js";
import type { Location } from "../../source/source.js";
import { metadataKeys, methodAnnotations } from "../notation/notation.js";
import { findCredentials } from "../program/credentials.js";
import type { Program } from "../program/program.js";

/** The help and the fix for a misspelled word, as parts of a diagnostic. */
export interface Suggestion {
  readonly help?: string;
  readonly fix?: Fix;
}

/**
 * Suggests candidates for a misspelled word. If one candidate is clearly the
 * likeliest and the text at `location` is exactly the word, the result also has
 * a fix.
 */
export function didYouMean(
  word: string,
  candidates: Iterable<string>,
  location?: Location,
): Suggestion {
  const meant = suggest(word, candidates);
  const [first, second] = meant;
  if (first === undefined) return {};
  const help = `did you mean ${listNames(meant, "or")}?`;
  const isSure = second === undefined || isMuchCloser(word, first, second);
  const isFixable = isSure && location && textAt(location) === word;
  return isFixable ? { help, fix: { location, replacement: first } } : { help };
}

/**
 * Describes a name that is not a declared error. Input: the name, a suggestion of a
 * declared one, which is preferred, and how else to declare it.
 */
export function describeUnknownError(
  name: string,
  suggestion: Suggestion,
  elsewhere = ", or import a document that does",
): Suggestion & { readonly message: string } {
  return {
    message: `error \`${name}\` is not declared`,
    help: `declare it with \`error 1001 ${name} "what went wrong" HTTP 400\`${elsewhere}`,
    ...suggestion,
  };
}

/** Marks a fix as a contract change, because the word had no effect. */
export function changingContract(suggestion: Suggestion): Suggestion {
  const { fix } = suggestion;
  return fix
    ? { ...suggestion, fix: { ...fix, changesContract: true } }
    : suggestion;
}

/**
 * Whether `first` differs from the word by at most one letter, and by less than
 * `second`.
 */
function isMuchCloser(word: string, first: string, second: string): boolean {
  const distance = distanceOf(word, first);
  return distance <= 1 && distance < distanceOf(word, second);
}

function distanceOf(a: string, b: string): number {
  return editDistance(a.toLowerCase(), b.toLowerCase());
}

function textAt({ source, span }: Location): string {
  return source.text.slice(span.start, span.end);
}

/** Maximum number of words for which a rule looks for candidates. */
const SUGGESTIONS_PER_RULE = 20;

/**
 * Creates a {@link didYouMean} that stops after a number of calls, because a
 * document full of unknown names would otherwise be slow.
 */
export function createSuggester(): typeof didYouMean {
  let left = SUGGESTIONS_PER_RULE;
  return (word, candidates, location) => {
    if (left === 0) return {};
    left -= 1;
    return didYouMean(word, candidates, location);
  };
}

/** Maps constraints in other languages to the beginnings of RIDL's keys. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ["min", "min"],
  ["max", "max"],
  ["regex", "pattern"],
  ["regexp", "pattern"],
  ["unique", "uniqueItems"],
  ["anyof", "oneOf"],
  ["union", "oneOf"],
  ["variants", "oneOf"],
  ["discriminator", "tag"],
  ["const", "enum"],
]);

/** Suggests keys that an unknown key resembles or translates to. */
export function suggestKey(key: string, location?: Location): Suggestion {
  return translate(key) ?? didYouMean(key, metadataKeys.keys(), location);
}

function translate(key: string): { readonly help: string } | undefined {
  const begin = otherNames.get(key.toLowerCase());
  if (begin === undefined) return undefined;
  const meant = [...metadataKeys.keys()].filter((each) =>
    each.startsWith(begin),
  );
  return { help: `did you mean ${listNames(meant, "or")}?` };
}

/**
 * Suggests annotations that an unknown one resembles. If a contract declares
 * credentials, this includes short names, because `@auht` would leave a method
 * unprotected.
 */
export function suggestAnnotation(
  name: string,
  program: Program,
  location?: Location,
): Suggestion {
  const hasCredentials = findCredentials(program).length > 0;
  const candidates = methodAnnotations.filter(
    (each) => hasCredentials || each.length >= SURE_LENGTH,
  );
  return didYouMean(name, candidates, location);
}

/**
 * Minimum length of the annotations that are suggested if the contract declares
 * no credentials. Annotations of other tools, such as `@set` and `@author`,
 * resemble shorter ones.
 */
const SURE_LENGTH = 6;
