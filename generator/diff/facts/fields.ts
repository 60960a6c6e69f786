import type { Effects, ChangeEffect, Side, Subject } from "./change.js";
import type {
  PairedContracts,
  ObjectPair,
  PlacedField,
} from "./paired-contracts.js";
import { effectsIn, type Flow, type Shift, sideOf } from "./effects.js";
import { findRename } from "./renames.js";
import type { Pair } from "./pairing.js";

/** A field that is in both contracts. */
export interface KeptField extends Pair<PlacedField> {
  readonly flow: Flow;
  readonly path: string;
  readonly isInPath: boolean;
}

/** A field that is in one contract, and what it is in or would be in. */
export interface LoneField extends PlacedField {
  readonly owners: Pair<Subject>;
  readonly flow: Flow;
  readonly path: string;
}

/** A field that is gone, and those that are new beside it. */
export interface RemovedField extends LoneField {
  readonly added: readonly PlacedField[];
}

/** Fields that are in both contracts, of messages that one side writes. */
export function keptFields(
  contracts: PairedContracts,
  side: Side,
): readonly KeptField[] {
  return objectsOf(contracts, side).flatMap(
    ({ fields, path, flow, isInPath }) =>
      fields.kept.map((pair) => ({ ...pair, path, flow, isInPath })),
  );
}

/** Fields that are new, of messages that one side writes. */
export function addedFields(
  contracts: PairedContracts,
  side: Side,
): readonly LoneField[] {
  return objectsOf(contracts, side).flatMap(
    ({ fields, subjects: owners, path, flow }) =>
      fields.added.map((placed) => ({ ...placed, owners, path, flow })),
  );
}

/** Fields that are gone, of messages that one side writes. */
export function removedFields(
  contracts: PairedContracts,
  side: Side,
): readonly RemovedField[] {
  return objectsOf(contracts, side).flatMap(
    ({ fields: { removed, added }, subjects: owners, path, flow }) =>
      removed.map((placed) => ({ ...placed, owners, path, flow, added })),
  );
}

function objectsOf(
  { objects }: PairedContracts,
  side: Side,
): readonly ObjectPair[] {
  return objects.filter(({ flow }) => sideOf(flow) === side);
}

/** Who is hurt when a field is no longer the same. What is in a path is always there. */
export function effectsOfKept(
  { flow, isInPath }: KeptField,
  wire: Shift,
  code: Shift,
): Effects {
  return effectsIn(flow, isInPath ? {} : wire, code);
}

/** Where a finding about a field that stayed is shown. */
export function placeOfKept({
  before,
  after,
  path,
}: KeptField): Pick<ChangeEffect, "before" | "after" | "path"> {
  return { before: before.subject, after: after.subject, path };
}

/** The way out for a field that somebody still sends or reads. */
export function keepField(
  { field, added }: RemovedField,
  use: "sends" | "reads",
): string {
  const names = added.map((each) => each.field.jsonName);
  const other = findRename(field.jsonName, names);
  return other === null
    ? `keep it, marked \`+ deprecated\`, until nobody ${use} it`
    : `if it was renamed to \`${other}\`, keep its name on the wire: \`+ json = ${field.jsonName}\``;
}
