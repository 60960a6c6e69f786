import { isRecord } from "@ridlkit/runtime/validation";

/** JSON values that are neither a number, a hash, bytes nor an object of a chain. */
export const malformedValues: readonly unknown[] = [
  ...[null, true, 1, -1, [], {}, { toString: 1 }, { length: 66 }, [["0x1"]]],
  ...["", "1", "-0x1", "0x", "0xg", "0x 1", "0x1\n", "1e3", "Infinity"],
  `0x${"f".repeat(1_000_001)}`,
];

/**
 * Returns variants of an answer, each with one malformed part: the answer itself,
 * or one of its parts, which can also be missing.
 */
export function malform(answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) {
    const changed = answer.flatMap((each: unknown, index) =>
      malform(each).map((variant) => answer.with(index, variant)),
    );
    return [...malformedValues, ...changed];
  }
  if (!isRecord(answer)) return malformedValues;
  const changed = Object.entries(answer).flatMap(([name, value]) => {
    const { [name]: _, ...rest } = answer;
    const variants = malform(value).map((each) => ({ ...rest, [name]: each }));
    return [rest, ...variants];
  });
  return [...malformedValues, ...changed];
}
