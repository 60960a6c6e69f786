import type { TypeReference } from "../ir/contract.js";
import { isIntegerName, scalars } from "../ir/scalars.js";

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
  const [lowest, highest] = scalars[wide.name].range;
  const [low, high] = scalars[narrow.name].range;
  return lowest <= low && high <= highest;
}
