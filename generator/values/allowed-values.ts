import type { AllowedValue, Constraints } from "../ir/contract.js";
import { mergeConstraints } from "./limits.js";
import type { ResolvedEnum } from "./value.js";
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

/** Works like {@link allowedValues} for limits that are not merged. */
export function allowedAlong(
  layers: readonly Constraints[],
  int64: WireOptions["int64"],
): readonly AllowedValue[] | null {
  // Most values have no list.
  if (layers.every((limits) => limits.enum === undefined)) return null;
  return allowedValues(layers.reduce(mergeConstraints), int64);
}

/** Returns the values of an enum that limits allow, as on the wire. */
export function enumValuesOf({
  declaration,
  limits,
}: ResolvedEnum): readonly string[] {
  return (
    limits.enum?.map(String) ??
    declaration.members.map(({ jsonValue }) => jsonValue)
  );
}
