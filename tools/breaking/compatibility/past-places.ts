import { wireOf } from "../../../generator/http/wire-of.js";
import type { Change } from "../diff/index.js";
import type {
  Field,
  Method,
  TypeReference,
} from "../../../generator/ir/contract.js";
import {
  type RequestPlace,
  placedFields,
} from "../diff/facts/request-places.js";
import type { OldType, PastPlace } from "../../../generator/values/history.js";
import type {
  ContractValues,
  ResolvedValue,
} from "../../../generator/values/value.js";
import type { WireOptions } from "../../../generator/values/wire-options.js";
import {
  describeLimit,
  describeOldObject,
  describeOldType,
} from "./old-type.js";

/** A method in both contracts, and what both mean. */
export interface PlacedPast {
  readonly before: Method;
  readonly after: Method;
  readonly values: ContractValues;
  readonly valuesNow: ContractValues;
  /** The settings of the earlier contract. */
  readonly modes: WireOptions;
}

/**
 * Returns the places in requests where a change has an effect: its own, and that
 * of each union around it, because a value of no variant fails as a whole.
 *
 * Input: the steps from the request to the change, e.g. `shape(Round).size`.
 */
export function placesOf(
  steps: string,
  change: Change,
  past: PlacedPast,
): readonly PastPlace[] {
  const parts = stepsOf(steps);
  const around = parts.flatMap((part, index) =>
    part.startsWith("(") ? [placeAt(parts.slice(0, index), past)] : [],
  );
  const { limit } = change;
  const only = removedValueOf(change, past);
  // The limits of extra members do not count the other members.
  const isOfExtra = extraStepsOf(parts, past).has(parts.length - 1);
  const hasLimit = limit && hasEntries(limit) && !isOfExtra;
  const own = {
    ...placeAt(isOfExtra ? parts.slice(0, -1) : parts, past),
    ...(hasLimit && { now: describeLimit(limit) }),
    ...(only !== null && { only }),
    ...(requiringRules.has(change.code) && { isRequired: true as const }),
  };
  const keys =
    change.code === "extra-members-no-exclude"
      ? [placeOfKeys(parts, past)]
      : [];
  return [own, ...around, ...keys];
}

/** Returns the place of the names of all members that no field declares. */
function placeOfKeys(parts: readonly string[], past: PlacedPast): PastPlace {
  const { values, valuesNow } = past;
  const declared = ownFields(fieldsOf(walkNow(parts, past), valuesNow));
  const then = fieldsOf(walkThen(parts, past).spot, values);
  const key = keyTypeOf(extraOf(then), past);
  const names = ownFields(then);
  const { at } = placeAt(parts, past);
  return {
    at: `${at}{key}`,
    was: {
      type: "union",
      variants: [
        ...(names.length > 0 ? [{ type: "string", enum: names } as const] : []),
        key,
      ],
    },
    except: declared,
  };
}

function ownFields(fields: readonly Field[]): readonly string[] {
  return fields.flatMap(({ isExtra, jsonName }) => (isExtra ? [] : jsonName));
}

/** Returns the keys that a map allowed. */
function keyTypeOf(spot: Spot, past: PlacedPast): OldType {
  const { modes, values } = past;
  if (spot.kind !== "known") return { type: "any" };
  const map = values.valueOf(spot.type);
  return map.kind === "map"
    ? { ...describeOldType(map.key, values, modes), isText: true }
    : { type: "unknown" };
}

/** Returns the place of a field that moved to another part of the request. */
export function placeOfMoved(name: string, past: PlacedPast): PastPlace {
  return placeAt([name], past);
}

function hasEntries(record: object): boolean {
  return Object.keys(record).length > 0;
}

/** Splits e.g. `books[].shape(Round).size` into its steps. */
function stepsOf(steps: string): readonly string[] {
  return steps.match(/\([^()]*\)|\[\]|\{key\}|\{\}|[^.()[\]{}]+/gu) ?? [];
}

function placeAt(parts: readonly string[], past: PlacedPast): PastPlace {
  const extra = extraStepsOf(parts, past);
  const at = parts
    .filter((part, index) => !part.startsWith("(") && !extra.has(index))
    .reduce((path, part) => {
      const dot = path === "" || /^[[{]/u.test(part) ? "" : ".";
      return `${path}${dot}${part}`;
    }, "");
  const except = [...extra.values()].flat();
  const key = keyAt(parts, past);
  return {
    at,
    was: oldTypeAt(parts, past),
    ...(key && { key }),
    ...(except.length > 0 && { except }),
  };
}

/** Returns the keys that the earlier contract allowed at a value of a map. */
function keyAt(parts: readonly string[], past: PlacedPast): OldType | null {
  const parent = parts.slice(0, -1);
  if (parts.at(-1) === "{}") return oldTypeAt([...parent, "{key}"], past);
  const { spot } = walkThen(parts, past);
  if (spot.kind !== "known" || spot.isExtra !== true) return null;
  const { spot: holder } = walkThen(parent, past);
  return keyTypeOf(extraOf(fieldsOf(holder, past.values)), past);
}

/**
 * Finds the steps to a field with the extra members, which is not on the wire.
 * Returns the names of the other fields by the index of the step.
 */
function extraStepsOf(
  parts: readonly string[],
  past: PlacedPast,
): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, readonly string[]>();
  for (const [index, part] of parts.entries()) {
    const spot = walkNow(parts.slice(0, index), past);
    const fields = fieldsOf(spot, past.valuesNow);
    if (fields.some(({ isExtra, jsonName }) => isExtra && jsonName === part))
      found.set(index, ownFields(fields));
  }
  return found;
}

/** Returns a part of the request in the current contract. */
function walkNow(
  parts: readonly string[],
  { after, valuesNow }: PlacedPast,
): Spot {
  let spot: Spot = { kind: "fields", fields: after.request.fields };
  for (const part of parts) {
    const fields = fieldsOf(spot, valuesNow);
    const extra = fields.find(({ isExtra }) => isExtra);
    spot =
      extra?.jsonName === part
        ? { kind: "known", type: extra }
        : stepInto(spot, part, valuesNow);
  }
  return spot;
}

/** Returns the fields of an object, or none for other values. */
function fieldsOf(spot: Spot, values: ContractValues): readonly Field[] {
  switch (spot.kind) {
    case "fields":
      return spot.fields;
    case "known":
      return declaredFields(values.valueOf(spot.type));
    case "ignored":
    case "unknown":
      return [];
  }
}

function declaredFields(value: ResolvedValue): readonly Field[] {
  return value.kind === "struct" ? value.declaration.fields : [];
}

interface KnownSpot {
  readonly kind: "known";
  readonly type: Field | TypeReference;
  /** Whether it is one of the extra members, which can be absent. */
  readonly isExtra?: true;
}

/** A part of a request, as the earlier contract describes it. */
type Spot =
  | KnownSpot
  | { readonly kind: "fields"; readonly fields: readonly Field[] }
  /** The earlier contract ignores it. */
  | { readonly kind: "ignored" }
  | { readonly kind: "unknown" };

/** Returns a part of the request in the earlier contract. */
function walkThen(
  parts: readonly string[],
  past: PlacedPast,
): { readonly spot: Spot; readonly isText: boolean } {
  const { before, values } = past;
  const extra = extraStepsOf(parts, past);
  let spot: Spot = { kind: "fields", fields: before.request.fields };
  let isText = parts.at(-1) === "{key}";
  for (const [index, part] of parts.entries()) {
    if (extra.has(index)) spot = extraOf(fieldsOf(spot, values));
    else if (index > 0) spot = stepInto(spot, part, values);
    else {
      const found = oldFieldAt(part, past);
      isText ||= found.isText;
      spot = found.spot;
    }
  }
  return { spot, isText };
}

function oldTypeAt(parts: readonly string[], past: PlacedPast): OldType {
  const { modes, values } = past;
  const { isText, spot } = walkThen(parts, past);
  switch (spot.kind) {
    case "known":
      return {
        ...describeOldType(spot.type, values, modes),
        ...(isText && { isText: true }),
        ...(spot.isExtra && { mayBeAbsent: true }),
      };
    case "fields":
      return describeOldObject(spot.fields, values, modes);
    case "ignored":
      return { type: "any", mayBeAbsent: true, mayBeNull: true };
    case "unknown":
      return { type: "unknown" };
  }
}

/** Returns the earlier field at the place of a field of the current request. */
function oldFieldAt(
  name: string,
  { after, before, values }: PlacedPast,
): { readonly spot: Spot; readonly isText: boolean } {
  const now = placedFields(after).find(({ field }) => field.jsonName === name);
  const then = placedFields(before).find(({ field, form, place }) =>
    now === undefined || now.form === null
      ? form === null && field.jsonName === name && !field.isExtra
      : place === now.place,
  );
  const isText =
    (now !== undefined && now.form !== null && now.form !== "json") ||
    (then !== undefined && isForm(after));
  if (then === undefined) {
    return { spot: withoutPlace(name, now, before, values), isText };
  }
  return { spot: { kind: "known", type: then.field }, isText };
}

/** Returns what the earlier contract means by a place that it has no field at. */
function withoutPlace(
  name: string,
  now: RequestPlace | undefined,
  { request: { fields } }: Method,
  values: ContractValues,
): Spot {
  if (now === undefined || now.form === null)
    return memberOf(fields, name, values);
  // If the field moved, its value is at its old place, and nobody reads it.
  const hasMoved = fields.some(({ jsonName }) => jsonName === name);
  return { kind: hasMoved ? "unknown" : "ignored" };
}

function isForm(method: Method): boolean {
  return wireOf(method).request.body.content.kind === "form";
}

function stepInto(spot: Spot, part: string, values: ContractValues): Spot {
  switch (spot.kind) {
    case "fields":
      return memberOf(spot.fields, part, values);
    case "known":
      return part.startsWith("(")
        ? variantOf(spot.type, part, values)
        : stepIntoValue(spot, part, values);
    case "ignored":
    case "unknown":
      return spot;
  }
}

function stepIntoValue(
  spot: KnownSpot,
  part: string,
  values: ContractValues,
): Spot {
  const value = values.valueOf(spot.type);
  switch (value.kind) {
    case "list":
      return part === "[]"
        ? { kind: "known", type: value.element }
        : { kind: "unknown" };
    case "map":
      return part === "{key}"
        ? { kind: "known", type: value.key }
        : { kind: "known", type: value.held };
    case "struct":
      return memberOf(value.declaration.fields, part, values);
    case "scalar":
      return value.scalar === "any" ? spot : { kind: "unknown" };
    case "bytes":
    case "enum":
    case "union":
      return { kind: "unknown" };
  }
}

/** Returns a member of an object. */
function memberOf(
  fields: readonly Field[],
  name: string,
  values: ContractValues,
): Spot {
  const field = fields.find(
    ({ isExtra, jsonName }) => !isExtra && jsonName === name,
  );
  if (field !== undefined) return { kind: "known", type: field };
  const extra = fields.find(({ isExtra }) => isExtra);
  if (extra === undefined) return { kind: "ignored" };
  const map = values.valueOf(extra);
  return map.kind === "map"
    ? { kind: "known", type: map.held, isExtra: true }
    : { kind: "unknown" };
}

/** Returns the map of extra members. */
function extraOf(fields: readonly Field[]): Spot {
  const extra = fields.find(({ isExtra }) => isExtra);
  return extra === undefined
    ? { kind: "ignored" }
    : { kind: "known", type: extra };
}

/** Returns the variant with a name, e.g. `(Round)`, also of unions in unions. */
function variantOf(
  type: Field | TypeReference,
  part: string,
  values: ContractValues,
): Spot {
  const value = values.valueOf(type);
  // A value that became or was a union is at the same place.
  if (value.kind !== "union") return { kind: "known", type };
  const name = part.slice(1, -1);
  const found = value.declaration.variants
    .map((variant) => [variant, values.valueOf(variant)] as const)
    .find(([, each]) => each.name === name);
  return found === undefined
    ? { kind: "unknown" }
    : { kind: "known", type: found[0] };
}

/** Returns the text of a value of an enum that was removed or renamed. */
function removedValueOf(
  { before, code }: Change,
  { values }: PlacedPast,
): string | null {
  if (!valueRules.has(code) || before?.kind !== "member") return null;
  const type = values.type(before.type);
  const member =
    type.kind === "enum" &&
    type.members.find(({ name }) => name === before.name);
  return member ? member.jsonValue : null;
}

/** Changes that only affect requests with a value of an enum. */
const valueRules: ReadonlySet<string> = new Set([
  "enum-value-no-delete",
  "enum-value-same-json",
]);

/** Changes that only affect requests without a value. */
const requiringRules: ReadonlySet<string> = new Set([
  "request-field-no-add-required",
  "request-field-optional-to-required",
]);
