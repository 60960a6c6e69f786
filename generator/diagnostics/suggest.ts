const maxSuggestions = 5;
/** Longer words are not compared, because they are rarely misspelled names. */
const maxLength = 60;

/**
 * Returns up to five likely candidates for a misspelled word, nearest first.
 */
export function suggest(
  word: string,
  candidates: Iterable<string>,
): readonly string[] {
  if (word.length > maxLength) return [];
  const limit = Math.max(1, Math.floor(word.length / 3));
  const near: { candidate: string; distance: number }[] = [];
  for (const candidate of new Set(candidates)) {
    if (candidate === word) continue;
    if (Math.abs(candidate.length - word.length) > limit) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance <= limit) near.push({ candidate, distance });
  }
  near.sort(
    (a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1),
  );
  return near.slice(0, maxSuggestions).map(({ candidate }) => candidate);
}

/** Returns help that names the closest candidate, if there is one. */
export function suggestHelp(
  word: string,
  candidates: Iterable<string>,
): { readonly help?: string } {
  const [close] = suggest(word, candidates);
  return close === undefined ? {} : { help: `did you mean \`${close}\`?` };
}

/** Returns how many letters must be inserted, deleted, replaced or swapped. */
export function editDistance(from: string, to: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const current = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwap = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      current[j] = Math.min(
        (previous[j] ?? 0) + 1,
        (current[j - 1] ?? 0) + 1,
        (previous[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (beforePrevious[j - 2] ?? 0) + 1 : Infinity,
      );
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[to.length] ?? 0;
}
