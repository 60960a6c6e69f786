import { editDistance } from "../../diagnostics/suggest.js";

/**
 * Of names that are new the one that may be an old one, misspelt or improved.
 * Output: null when none is near: at most two letters in five are other ones.
 */
export function findRename(
  old: string,
  candidates: readonly string[],
): string | null {
  const near = candidates
    .map((name) => ({ name, distance: distanceOf(old, name) }))
    .filter(({ name, distance }) => distance <= name.length * 0.4)
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.name ?? null;
}

function distanceOf(one: string, other: string): number {
  return editDistance(one.toLowerCase(), other.toLowerCase());
}
