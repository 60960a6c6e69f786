import type { IntegerName } from "./contract.js";

/** The smallest and the largest value of each integer type. */
export const integerRanges: Readonly<
  Record<IntegerName, readonly [bigint, bigint]>
> = {
  byte: [0n, 255n],
  int: [-(2n ** 63n), 2n ** 63n - 1n],
  int8: [-128n, 127n],
  int16: [-32768n, 32767n],
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint: [0n, 2n ** 64n - 1n],
  uint8: [0n, 255n],
  uint16: [0n, 65535n],
  uint32: [0n, 2n ** 32n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
};

const integerNames: ReadonlySet<string> = new Set(Object.keys(integerRanges));

/** Whether the word is an integer core type. */
export function isIntegerName(word: string): word is IntegerName {
  return integerNames.has(word);
}
