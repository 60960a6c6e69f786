import type { Usage } from "../../generated/types.js";

/** The number of calls, and how many of them failed. */
export interface Count {
  /** A day or a method. */
  readonly name: string;
  readonly calls: number;
  readonly failures: number;
}

/**
 * Returns the last `count` days up to and including a date, in UTC and oldest
 * first. A day has the format `2026-01-31`.
 */
export function daysUntil(last: Date, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(last);
    day.setUTCDate(last.getUTCDate() - (count - 1 - index));
    return day.toISOString().slice(0, 10);
  });
}

/** Sums calls and failures by name. */
export function sumBy(
  usage: readonly Usage[],
  nameOf: (entry: Usage) => string,
): readonly Count[] {
  const sums = new Map<string, Count>();
  for (const entry of usage) {
    const name = nameOf(entry);
    const known = sums.get(name) ?? { name, calls: 0, failures: 0 };
    sums.set(name, {
      name,
      calls: known.calls + entry.calls,
      failures: known.failures + entry.failures,
    });
  }
  return [...sums.values()];
}
