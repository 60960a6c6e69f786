import type { Field } from "../../ir/contract.js";
import type { Effects, Side } from "./change.js";
import type { PairedContracts } from "./paired-contracts.js";
import { effectsOfKept, type KeptField, keptFields } from "./fields.js";

/** A field that may be null in one of two contracts, and not in the other. */
export interface NullChange {
  readonly kept: KeptField;
  readonly effects: Effects;
}

/** Fields that may no longer be null, of messages that one side writes. */
export function findForbiddenNulls(
  contracts: PairedContracts,
  side: Side,
): readonly NullChange[] {
  return keptFields(contracts, side)
    .filter(({ before, after }) => mayBeNull(before.field, after.field))
    .map((kept) => ({
      kept,
      effects: effectsOfKept(
        kept,
        { narrower: isReadAsAbsent(kept.after.field) ? undefined : "error" },
        { narrower: "error" },
      ),
    }));
}

/** Fields that may be null now, of messages that one side writes. */
export function findAllowedNulls(
  contracts: PairedContracts,
  side: Side,
): readonly NullChange[] {
  return keptFields(contracts, side)
    .filter(({ before, after }) => mayBeNull(after.field, before.field))
    .map((kept) => ({
      kept,
      effects: effectsOfKept(
        kept,
        { wider: isReadAsAbsent(kept.before.field) ? undefined : "error" },
        { wider: "error" },
      ),
    }));
}

/** What a type holds anyway says nothing. */
function mayBeNull(one: Field, other: Field): boolean {
  const { type } = other;
  const isAny =
    type.kind === "scalar" && (type.name === "any" || type.name === "null");
  return one.isNullable && !other.isNullable && !isAny;
}

/** Null of an optional field is read as if it was left out. */
function isReadAsAbsent({ isOptional }: Field): boolean {
  return isOptional;
}
