import { giveWay } from "./give-way.js";

/** The number of entries that are sorted before other work can run. */
const runSize = 500;

type Compare<Item> = (one: Item, other: Item) => number;

/** Sorts a list as `toSorted` does, and lets other work run in between. */
export async function sortInSteps<Item extends object>(
  items: readonly Item[],
  compare: Compare<Item>,
): Promise<readonly Item[]> {
  let runs: (readonly Item[])[] = [];
  for (let start = 0; start < items.length; start += runSize) {
    await giveWay();
    runs.push(items.slice(start, start + runSize).sort(compare));
  }
  while (runs.length > 1) {
    const merged: (readonly Item[])[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const [one = [], other = []] = runs.slice(at, at + 2);
      merged.push(await merge(one, other, compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<Item extends object>(
  one: readonly Item[],
  other: readonly Item[],
  compare: Compare<Item>,
): Promise<readonly Item[]> {
  const merged: Item[] = [];
  let at = 0;
  for (const item of other) {
    let next = one[at];
    while (next !== undefined && compare(next, item) <= 0) {
      merged.push(next);
      at += 1;
      next = one[at];
      if (merged.length % runSize === 0) await giveWay();
    }
    merged.push(item);
    if (merged.length % runSize === 0) await giveWay();
  }
  return [...merged, ...one.slice(at)];
}
