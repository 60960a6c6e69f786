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
