import type { IntegerName, ScalarName } from "../ir/contract.js";

/** The smallest and the largest value of each integer type. */
const INTEGER_RANGES: ReadonlyMap<string, readonly [bigint, bigint]> = new Map([
  ["byte", [0n, 255n]],
  ["int", [-(2n ** 63n), 2n ** 63n - 1n]],
  ["int8", [-128n, 127n]],
  ["int16", [-32768n, 32767n]],
  ["int32", [-(2n ** 31n), 2n ** 31n - 1n]],
  ["int64", [-(2n ** 63n), 2n ** 63n - 1n]],
  ["uint", [0n, 2n ** 64n - 1n]],
  ["uint8", [0n, 255n]],
  ["uint16", [0n, 65535n]],
  ["uint32", [0n, 2n ** 32n - 1n]],
  ["uint64", [0n, 2n ** 64n - 1n]],
]);

const OTHER_SCALARS: ReadonlySet<string> = new Set([
  "any",
  "bigint",
  "bool",
  "file",
  "float32",
  "float64",
  "null",
  "string",
  "timestamp",
]);

/** All core type names that stand alone, for suggestions. */
export const scalarNames: readonly string[] = [
  ...INTEGER_RANGES.keys(),
  ...OTHER_SCALARS,
];

/** Whether the word is a core type such as `uint32`; exact case. */
export function isScalarName(word: string): word is ScalarName {
  return INTEGER_RANGES.has(word) || OTHER_SCALARS.has(word);
}

/** Whether the word is an integer core type. */
export function isIntegerName(word: string): word is IntegerName {
  return INTEGER_RANGES.has(word);
}

/** The smallest and the largest value of an integer core type. */
export function integerRange(name: IntegerName): readonly [bigint, bigint] {
  return INTEGER_RANGES.get(name) ?? [0n, 0n];
}
