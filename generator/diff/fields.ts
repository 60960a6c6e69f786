import type { Finding, Side, Subject } from "./change.js";
import type { PairedContracts, PlacedField } from "./paired-contracts.js";
import { findRename } from "./renames.js";
import type { Pair } from "./pairing.js";

/** A field that is in both contracts. */
export interface KeptField extends Pair<PlacedField> {
  readonly path: string;
}

/** A field that is in one contract, and what it is in or would be in. */
export interface LoneField extends PlacedField {
  readonly owners: Pair<Subject>;
  readonly path: string;
}

/** A field that is gone, and those that are new beside it. */
export interface RemovedField extends LoneField {
  readonly added: readonly PlacedField[];
}

/** Fields of messages in one direction that are in both contracts. */
export function keptFields(
  { objects }: PairedContracts,
  direction: Side,
): readonly KeptField[] {
  return objects
    .filter((each) => each.direction === direction)
    .flatMap(({ fields, path }) =>
      fields.kept.map((pair) => ({ ...pair, path })),
    );
}

/** Fields of messages in one direction that are new. */
export function addedFields(
  { objects }: PairedContracts,
  direction: Side,
): readonly LoneField[] {
  return objects
    .filter((each) => each.direction === direction)
    .flatMap(({ fields, subjects: owners, path }) =>
      fields.added.map((placed) => ({ ...placed, owners, path })),
    );
}

/** Fields of messages in one direction that are gone. */
export function removedFields(
  { objects }: PairedContracts,
  direction: Side,
): readonly RemovedField[] {
  return objects
    .filter((each) => each.direction === direction)
    .flatMap(({ fields: { removed, added }, subjects: owners, path }) =>
      removed.map((placed) => ({ ...placed, owners, path, added })),
    );
}

/** Where a finding about a field that stayed is shown. */
export function placeOfKept({
  before,
  after,
  path,
}: KeptField): Pick<Finding, "before" | "after" | "path"> {
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
    : `if it is called \`${other}\` now, keep its name on the wire: \`+ json = ${field.jsonName}\``;
}
