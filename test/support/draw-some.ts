/** Whether the tests run as part of `npm run test:long`. */
export const isLong = process.env["RIDLKIT_RUNS"] !== undefined;

/**
 * Whether to repeat fewer times what takes minutes, as continuous integration
 * does.
 */
export const isSample = process.env["RIDLKIT_SAMPLE"] !== undefined;

/** How many times as many random cases to run. */
export const runs = Number(process.env["RIDLKIT_RUNS"] ?? 1);

/**
 * Returns a fixed sample of the items in `npm test`, one about four times as
 * large in continuous integration, and all items in `npm run test:long`.
 *
 * Input: the sample contains one of every `oneOf` items, and `first` varies it
 * between callers.
 */
export function drawSome<Item>(
  items: readonly Item[],
  oneOf: number,
  first = 0,
): readonly Item[] {
  if (isLong && !isSample) return items;
  const step = isSample ? Math.ceil(oneOf / 4) : oneOf;
  return items.filter((_, index) => index % step === first % step);
}
