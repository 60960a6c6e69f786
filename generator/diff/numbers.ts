import type { TypeReference } from "../ir/contract.js";
import { integerRanges, isIntegerName } from "../ir/integer-ranges.js";

/**
 * Whether a number type holds every value of another one. `float64` holds what
 * `float32` does and, as JSON numbers go, every integer.
 */
export function holdsNumbers(
  wide: TypeReference,
  narrow: TypeReference,
): boolean {
  if (wide.kind !== "scalar" || narrow.kind !== "scalar") return false;
  if (wide.name === narrow.name || wide.name === "float64") return true;
  if (!isIntegerName(narrow.name)) return false;
  if (!isIntegerName(wide.name)) return true;
  const [lowest, highest] = integerRanges[wide.name];
  const [low, high] = integerRanges[narrow.name];
  return lowest <= low && high <= highest;
}
