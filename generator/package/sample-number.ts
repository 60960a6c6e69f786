import type { Constraints, ScalarName } from "../ir/contract.js";
import { scalars } from "../ir/scalars.js";

/**
 * A number within limits, as its digits: the example if it fits, else 1 or what
 * is nearest to it.
 *
 * Input: `nth` tells numbers apart that have to differ, from 0 on.
 */
export function sampleNumber(
  name: ScalarName,
  { example, minimum, maximum }: Constraints,
  nth = 0,
): string {
  const { range, wire } = scalars[name];
  const isFloat = wire === "number" && range === null;
  const [least, most] = range ?? [];
  const low = [minimum, least].filter((limit) => limit !== undefined);
  const high = [maximum, most].filter((limit) => limit !== undefined);
  const isWithin = (value: number | bigint): boolean =>
    low.every((limit) => value >= limit) &&
    high.every((limit) => value <= limit);
  const form = isFloat ? /^-?\d+(?:\.\d+)?$/u : /^-?\d+$/u;
  if (nth === 0 && example !== undefined && form.test(example)) {
    if (isWithin(isFloat ? Number(example) : BigInt(example))) return example;
  }
  const wanted = [1 + nth, 1 - nth, add(minimum, nth), add(maximum, -nth)];
  const found = wanted.find((each) => each !== undefined && isWithin(each));
  // There may be no other one: then the first.
  return String(found ?? minimum ?? maximum ?? 1);
}

function add(
  limit: number | bigint | undefined,
  change: number,
): number | bigint | undefined {
  if (limit === undefined) return undefined;
  return typeof limit === "bigint" ? limit + BigInt(change) : limit + change;
}
