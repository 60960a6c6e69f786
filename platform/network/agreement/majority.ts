/** Returns how many of the nodes of a network are a majority. */
export function majorityOf(nodes: number): number {
  return Math.floor(nodes / 2) + 1;
}

/** Returns what nodes have responded. Those that did not are null. */
export function present<Value>(
  values: readonly (Value | null)[],
): readonly Value[] {
  return values.filter((value): value is Value => value !== null);
}

/**
 * Returns the value that a majority of the nodes reports, or null if there is
 * none. Nodes report the same if their values have the same key.
 */
export function agreedBy<Value>(
  values: readonly (Value | null)[],
  keyOf: (value: Value) => string,
): Value | null {
  const counts = new Map<string, number>();
  for (const value of present(values)) {
    const key = keyOf(value);
    const count = (counts.get(key) ?? 0) + 1;
    if (count >= majorityOf(values.length)) return value;
    counts.set(key, count);
  }
  return null;
}

/**
 * Returns the greatest value that a majority of the nodes reach, or if fewer have
 * responded, the lowest value.
 */
export function reachedBy<Value extends bigint | number>(
  values: readonly (Value | null)[],
): Value {
  const descending = [...present(values)].sort((one, other) =>
    other > one ? 1 : other < one ? -1 : 0,
  );
  const position = Math.min(majorityOf(values.length), descending.length) - 1;
  const reached = descending[position];
  if (reached === undefined) throw new Error("no node has responded");
  return reached;
}

/**
 * Returns the median, or the higher one of two. Of two values, one beyond the
 * limit does not count, because a node could otherwise stop everything.
 */
export function medianOf(
  values: readonly bigint[],
  limit: bigint | null = null,
): bigint {
  const sorted = sort(values);
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0n;
  const [lower = median] = sorted;
  return limit !== null && median > limit && sorted.length === 2
    ? lower
    : median;
}

/** Returns the median, or the lower one of two. */
export function lowMedianOf(values: readonly bigint[]): bigint {
  return sort(values)[Math.floor((values.length - 1) / 2)] ?? 0n;
}

function sort(values: readonly bigint[]): readonly bigint[] {
  return [...values].sort((one, other) =>
    one < other ? -1 : one > other ? 1 : 0,
  );
}

/** Returns whether no value is more than twice another one. */
export function areClose(values: readonly bigint[]): boolean {
  return values.every((one) => values.every((other) => one <= 2n * other));
}
