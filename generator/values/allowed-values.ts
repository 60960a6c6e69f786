import type { AllowedValue, Constraints } from "../ir/contract.js";
import type { WireOptions } from "./wire-options.js";

/**
 * Returns the values to which limits restrict messages, or null if they are not
 * listed. Code that represents 64-bit integers as numbers rejects those beyond
 * ±(2^53-1).
 */
export function allowedValues(
  { enum: values }: Constraints,
  int64: WireOptions["int64"],
): readonly AllowedValue[] | null {
  if (values === undefined) return null;
  return int64 === "bigint"
    ? values
    : values.filter((value) => typeof value !== "bigint");
}
