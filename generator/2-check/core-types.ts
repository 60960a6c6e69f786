import type { ScalarName } from "../ir/contract.js";
import { integerRanges } from "../ir/integer-ranges.js";

/** All core type names that stand alone, for suggestions. */
export const scalarNames: readonly string[] = [
  ...Object.keys(integerRanges),
  "any",
  "bigint",
  "bool",
  "file",
  "float32",
  "float64",
  "null",
  "string",
  "timestamp",
];

const scalars: ReadonlySet<string> = new Set(scalarNames);

/** Whether the word is a core type such as `uint32`; exact case. */
export function isScalarName(word: string): word is ScalarName {
  return scalars.has(word);
}
