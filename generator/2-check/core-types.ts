import type { ScalarName } from "../ir/contract.js";
import { integerRanges, isIntegerName } from "../ir/integer-ranges.js";

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
  ...Object.keys(integerRanges),
  ...OTHER_SCALARS,
];

/** Whether the word is a core type such as `uint32`; exact case. */
export function isScalarName(word: string): word is ScalarName {
  return isIntegerName(word) || OTHER_SCALARS.has(word);
}
