/** At most so many candidates stand in one help line. */
const MAX_SUGGESTIONS = 5;

/**
 * Candidates that someone who wrote `word` may have meant, best first.
 * Input: `Strin`, `["string", "uint8"]`. Output: `["string"]`.
 */
export function suggest(
  word: string,
  candidates: Iterable<string>,
): readonly string[] {
  const folded = word.toLowerCase();
  const limit = Math.max(1, Math.floor(word.length / 3));
  const found: { candidate: string; distance: number }[] = [];
  for (const candidate of new Set(candidates)) {
    if (Math.abs(candidate.length - word.length) > limit) continue;
    const distance = editDistance(folded, candidate.toLowerCase());
    if (distance <= limit) found.push({ candidate, distance });
  }
  return found
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_SUGGESTIONS)
    .map((each) => each.candidate);
}

/**
 * The help line `did you mean …?`; nothing when no candidate is close.
 * Output: `{ help: "did you mean `string`?" }` or `{}`.
 */
export function didYouMean(
  word: string,
  candidates: Iterable<string>,
): { readonly help?: string } {
  const names = suggest(word, candidates).map((name) => `\`${name}\``);
  if (names.length === 0) return {};
  const last = names.at(-1) ?? "";
  const first = names.slice(0, -1).join(", ");
  return { help: `did you mean ${first ? `${first} or ` : ""}${last}?` };
}

/** Levenshtein distance with swapped neighbours counted once. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isSame = a[i - 1] === b[j - 1];
      let best = Math.min(
        (previous[j] ?? 0) + 1,
        (current[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, (beforePrevious[j - 2] ?? i) + 1);
      }
      current.push(best);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length] ?? 0;
}
