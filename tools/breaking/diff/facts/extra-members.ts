import { textTest } from "../../../../generator/values/limits.js";
import type { ContractValues } from "../../../../generator/values/value.js";
import type { ObjectShape } from "./object-shape.js";
import type { ExtraMembers, Members, PlacedField } from "./paired-contracts.js";

/** Returns the members of an object. Input: the values of its contract. */
export function membersOf(
  { fields }: ObjectShape,
  values: ContractValues,
): Members {
  const placed = fields.find(({ field }) => field.isExtra);
  const map = placed && values.valueOf(placed.field);
  if (placed === undefined || map?.kind !== "map") {
    return { fields, extra: null };
  }
  const { subject } = placed;
  const extra: ExtraMembers = {
    subject,
    limits: map.limits,
    allowsName: textTest(values.valueOf(map.key).layers),
    source: {
      ...{ type: map.held, constraints: {}, subject, form: "json" },
      ...{ isRequired: true, isItem: true },
    },
  };
  return { fields, extra };
}

/** Why objects of one contract are invalid in another. */
export type Exclusion =
  /** A field of the writer is an extra member with an invalid name. */
  | { readonly kind: "name"; readonly name: string }
  /** The number of extra members can be beyond a limit. */
  | {
      readonly kind: "few" | "many";
      readonly count: number;
      readonly limit: number;
    };

/**
 * Finds which objects are invalid for a reader, because members that a field
 * declares in one contract are extra members in the other. Differences between
 * limits of the same extra members are found by comparing the maps.
 */
export function findExclusions(
  writer: Members,
  reader: Members,
): readonly Exclusion[] {
  const { extra } = reader;
  if (extra === null) return [];
  const joining = missingIn(writer.fields, reader.fields);
  const names = joining
    .map(({ field }) => field.jsonName)
    .filter((name) => !extra.allowsName(name));
  const range = findCounts(writer, reader.fields, joining);
  const counts = excludedCounts(range, extra).filter(
    (found) => !isSameLimit(found, writer.extra),
  );
  return [
    ...names.map((name) => ({ kind: "name", name }) as const),
    ...counts.slice(0, 1),
  ];
}

/** Returns the declared fields that the other contract does not declare. */
function missingIn(
  fields: readonly PlacedField[],
  others: readonly PlacedField[],
): readonly PlacedField[] {
  const names = new Set(
    others.flatMap(({ field }) => (field.isExtra ? [] : field.jsonName)),
  );
  return fields.filter(
    ({ field }) => !field.isExtra && !names.has(field.jsonName),
  );
}

/** A range of counts, both inclusive. */
interface CountRange {
  readonly least: number;
  readonly most: number;
}

/**
 * Returns how many extra members a reader can find. On the wire, an optional map
 * without extra members is an empty one.
 */
function findCounts(
  { extra, fields }: Members,
  others: readonly PlacedField[],
  joining: readonly PlacedField[],
): CountRange {
  const leaving = missingIn(others, fields).filter(({ field }) =>
    extra?.allowsName(field.jsonName),
  );
  const required = joining.filter(({ field }) => !field.isOptional);
  const { maxProperties = Infinity, minProperties = 0 } =
    extra === null ? { maxProperties: 0 } : extra.limits;
  return {
    least: Math.max(0, minProperties - leaving.length) + required.length,
    most: maxProperties + joining.length,
  };
}

function excludedCounts(
  { least, most }: CountRange,
  { limits }: ExtraMembers,
): readonly Exclude<Exclusion, { kind: "name" }>[] {
  const { maxProperties = Infinity, minProperties = 0 } = limits;
  return [
    ...(least < minProperties
      ? [{ kind: "few", count: least, limit: minProperties } as const]
      : []),
    ...(most > maxProperties
      ? [{ kind: "many", count: most, limit: maxProperties } as const]
      : []),
  ];
}

/** Whether the writer exceeds the limit without any change of its fields. */
function isSameLimit(
  { kind, limit }: Exclude<Exclusion, { kind: "name" }>,
  writer: ExtraMembers | null,
): boolean {
  if (writer === null) return false;
  const { maxProperties = Infinity, minProperties = 0 } = writer.limits;
  return kind === "few" ? minProperties < limit : maxProperties > limit;
}
