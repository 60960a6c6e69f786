/** The same thing in both contracts. */
export interface Pair<Thing> {
  readonly before: Thing;
  readonly after: Thing;
}

/** The paired, removed and added items of two lists. */
export interface Pairing<Thing> {
  readonly kept: readonly Pair<Thing>[];
  readonly removed: readonly Thing[];
  readonly added: readonly Thing[];
}

/** Pairs items with the same name. Names are unique in each list. */
export function pairBy<Thing>(
  before: readonly Thing[],
  after: readonly Thing[],
  nameOf: (thing: Thing) => string,
): Pairing<Thing> {
  const now = new Map(after.map((thing) => [nameOf(thing), thing]));
  const then = new Set(before.map(nameOf));
  const kept: Pair<Thing>[] = [];
  const removed: Thing[] = [];
  for (const thing of before) {
    const match = now.get(nameOf(thing));
    if (match === undefined) removed.push(thing);
    else kept.push({ before: thing, after: match });
  }
  const added = after.filter((thing) => !then.has(nameOf(thing)));
  return { kept, removed, added };
}

/** Pairs items by position. Both lists have the same length. */
export function pairInOrder<Thing>(
  before: readonly Thing[],
  after: readonly Thing[],
): Pairing<Thing> {
  const kept = before.flatMap((thing, place) => {
    const match = after[place];
    return match === undefined ? [] : [{ before: thing, after: match }];
  });
  return { kept, removed: [], added: [] };
}

/** Swaps both sides. */
export function swap<Thing>({ before, after }: Pair<Thing>): Pair<Thing> {
  return { before: after, after: before };
}

/** Converts both sides. */
export function mapPair<From, To>(
  { before, after }: Pair<From>,
  map: (thing: From) => To,
): Pair<To> {
  return { before: map(before), after: map(after) };
}
