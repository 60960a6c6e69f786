import type { ts } from "ts-morph";
import type {
  Plan,
  Value,
} from "../../../generator/4-emit/typescript/plan/plan.js";
import type { Field } from "../../../generator/ir/contract.js";
import type { SymbolLookup } from "../change/uses.js";

/** How a message of the contract contains a value of tRPC. */
export type MessageForm =
  /** The fields are those of the value. */
  | { readonly kind: "whole" }
  /** The only field is the value. */
  | { readonly kind: "field"; readonly field: Field };

/**
 * Compares the fields of a message with the type of a value. Returns null if the
 * message does not contain the value.
 */
export function formOf(
  fields: readonly Field[],
  type: ts.Type,
  plan: Plan,
  lookup: SymbolLookup,
): MessageForm | null {
  const names = namesIn(type, lookup);
  const [first, ...others] = fields;
  const only = first && others.length === 0 && !first.isExtra ? first : null;
  if (only === null) {
    const isOpen = fields.some(({ isExtra }) => isExtra);
    const own = new Set(fields.map(({ jsonName }) => jsonName));
    const isWhole =
      names !== null && (isOpen || [...names].every((each) => own.has(each)));
    return isWhole ? { kind: "whole" } : null;
  }
  const isWhole =
    names?.size === 1 &&
    names.has(only.jsonName) &&
    !isAround(only, type, plan, lookup);
  return isWhole ? { kind: "whole" } : { kind: "field", field: only };
}

/** Returns a member of a value that no field contains, or null. */
export function missingIn(
  fields: readonly Field[],
  type: ts.Type,
  lookup: SymbolLookup,
): string | null {
  const own = new Set(fields.map(({ jsonName }) => jsonName));
  const names = namesIn(type, lookup) ?? [];
  return [...names].find((each) => !own.has(each)) ?? null;
}

/** Whether a field is a value with a member that has the name of the field. */
function isAround(
  { jsonName, type: reference }: Field,
  type: ts.Type,
  plan: Plan,
  lookup: SymbolLookup,
): boolean {
  const own = membersOf(plan.values.valueOf(reference));
  if (own === null) return false;
  const { checker } = lookup;
  const member = checker.getNonNullableType(type).getProperty(jsonName);
  if (member === undefined) return false;
  const inner = namesIn(checker.getTypeOfSymbol(member), lookup);
  return inner === null || ![...inner].every((each) => own.has(each));
}

/** Returns a member of a value that the field for it lacks, or null. */
export function lackedBy(
  { type: reference }: Field,
  type: ts.Type,
  plan: Plan,
  lookup: SymbolLookup,
): string | null {
  const { checker } = lookup;
  let value = plan.values.valueOf(reference);
  let own = checker.getNonNullableType(type);
  while (value.kind === "list" && checker.isArrayType(own)) {
    value = value.held;
    const [item] = checker.getTypeArguments(own as ts.TypeReference);
    if (item === undefined) return null;
    own = item;
  }
  const members = membersOf(value);
  const names = members && namesIn(own, lookup);
  return names ? ([...names].find((each) => !members.has(each)) ?? null) : null;
}

/** Returns the names of an object's members, or null if others are allowed. */
function membersOf(value: Value): ReadonlySet<string> | null {
  switch (value.kind) {
    case "struct": {
      const { fields } = value.type;
      return fields.some(({ field }) => field.isExtra)
        ? null
        : new Set(fields.map(({ field }) => field.jsonName));
    }
    case "union": {
      const all = value.type.variants.map((each) => membersOf(each.value));
      const known = all.flatMap((each) => (each === null ? [] : [each]));
      return known.length === all.length
        ? new Set(known.flatMap((each) => [...each]))
        : null;
    }
    case "bytes":
    case "enum":
    case "list":
    case "map":
    case "scalar":
      return null;
  }
}

/** Returns the names of an object's properties, or null if it is no object. */
function namesIn(
  type: ts.Type,
  lookup: SymbolLookup,
): ReadonlySet<string> | null {
  const { checker, compiler } = lookup;
  const types = partsOf(type, lookup);
  const isObject = types.every(
    (each) =>
      (each.flags &
        (compiler.TypeFlags.Object | compiler.TypeFlags.Intersection)) !==
        0 &&
      !checker.isArrayType(each) &&
      !checker.isTupleType(each),
  );
  return isObject
    ? new Set(
        types.flatMap((each) => each.getProperties()).map(({ name }) => name),
      )
    : null;
}

/** Returns the types in a union but null, undefined and void. */
function partsOf(
  type: ts.Type,
  { compiler }: SymbolLookup,
): readonly ts.Type[] {
  const { Null, Undefined, VoidLike } = compiler.TypeFlags;
  const types = type.isUnion() ? type.types : [type];
  return types.filter(
    ({ flags }) => (flags & (Null | Undefined | VoidLike)) === 0,
  );
}

/** Whether a value can be null. */
export function canBeNull(type: ts.Type, { compiler }: SymbolLookup): boolean {
  const types = type.isUnion() ? type.types : [type];
  return types.some(({ flags }) => (flags & compiler.TypeFlags.Null) !== 0);
}
