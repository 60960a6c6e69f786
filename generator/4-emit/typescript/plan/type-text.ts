import { propertyMember, type Member } from "../text/build.js";
import { quoteProperty } from "../text/quote.js";
import { genericOf, typeLiteralOf, unionOf } from "../text/shapes.js";
import { indent, type Doc } from "../text/format.js";
import type { HostScope } from "./file-scope.js";
import type { Imports } from "./imports.js";
import { literalsOf } from "./literal-of.js";
import type {
  DeclaredName,
  FieldPlan,
  LimitedValue,
  MapValue,
  MethodPlan,
  UnionPlan,
  Value,
} from "./plan.js";

/** Builds a property of an interface, e.g. `page?: Page | null`. */
export function propertyOf(
  imports: Imports,
  plan: FieldPlan,
  docs: readonly string[],
): Member {
  const { isOptional, jsonName } = plan.field;
  const isExplicit = isOptional && imports.hasExplicitUndefined;
  const type = fieldTypeOf(imports, plan, isExplicit ? ["undefined"] : []);
  return propertyMember(docs, quoteProperty(jsonName), type, isOptional);
}

/**
 * Returns the TypeScript type of a field, with `null` if it is nullable and
 * others that it can be.
 */
export function fieldTypeOf(
  imports: Imports,
  plan: FieldPlan,
  others: readonly string[] = [],
): Doc {
  const { field, type } = plan;
  const literals = narrowerLiterals(plan);
  const orNull = field.isNullable ? ["null", ...others] : others;
  if (literals !== null) return unionOf([...literals, ...orNull]);
  const text = limitedTypeOf(imports, plan);
  if (text === "unknown") return text;
  const hasNull = (type.isNullable && text !== "number") || text === "null";
  const rest = hasNull ? others : orNull;
  if (rest.length === 0) return text;
  // Prettier keeps named types on the line of the property.
  const isNamed =
    type.declared !== null || type.kind === "map" || type.kind === "bytes";
  return isNamed
    ? [text, ...rest.map((each) => ` | ${each}`)]
    : unionOf([text, ...rest]);
}

/** Returns the TypeScript type of a type with further limits. */
export function limitedTypeOf(imports: Imports, limited: LimitedValue): Doc {
  const literals = narrowerLiterals(limited);
  if (literals !== null) return unionOf(literals);
  const { type, value } = limited;
  // Limits can turn a `bigint` of an alias into a `number`.
  const isNarrower =
    value.kind === "scalar" &&
    type.kind === "scalar" &&
    value.resolved.isSafe &&
    !type.resolved.isSafe;
  return isNarrower ? "number" : typeOf(imports, type);
}

/** Lists the values of a type if further limits leave only some of them. */
function narrowerLiterals({
  type,
  value,
}: LimitedValue): readonly string[] | null {
  if (value.kind !== "scalar" && value.kind !== "enum") return null;
  if (value.limits.enum?.length === type.limits.enum?.length) return null;
  const literals = literalsOf(value);
  return literals?.length === 0 ? ["never"] : literals;
}

/** Returns the TypeScript type of a value. Imports declared types. */
export function typeOf(imports: Imports, value: Value): Doc {
  return value.declared === null
    ? writtenTypeOf(imports, value)
    : declaredType(imports, value.declared);
}

/**
 * Returns the TypeScript type of a variant. TypeScript rejects `type Json =
 * string | Record<string, Json>`, but accepts an index signature.
 */
export function variantTypeOf(
  imports: Imports,
  union: UnionPlan,
  variant: Value,
): Doc {
  if (
    variant.kind !== "map" ||
    variant.declared !== null ||
    !leadsTo(variant.held, union)
  )
    return typeOf(imports, variant);
  const { held, key } = variant;
  const name =
    key.kind === "enum"
      ? ["[key in ", typeOf(imports, key), "]?: "]
      : "[key: string]: ";
  return indent(typeLiteralOf([[name, typeOf(imports, held)]]));
}

/** Whether a type is a union or has it in its variants and maps. */
function leadsTo(
  value: Value,
  union: UnionPlan,
  seen = new Set<UnionPlan>(),
): boolean {
  if (value.kind === "map") return leadsTo(value.held, union, seen);
  if (value.kind !== "union") return false;
  const { type } = value;
  if (type === union) return true;
  if (seen.has(type)) return false;
  seen.add(type);
  return type.variants.some((each) => leadsTo(each.value, union, seen));
}

/** Returns the type of a value without its declared name. */
function writtenTypeOf(imports: Imports, value: Value): Doc {
  switch (value.kind) {
    case "scalar": {
      const { type, typeFile } = value.form;
      return typeFile === null ? type : imports.runtimeType(typeFile, type);
    }
    case "bytes":
      return "Uint8Array";
    case "list":
      return listType(imports, value.held);
    case "map":
      return mapType(imports, value);
    case "enum":
    case "struct":
    case "union":
      return declaredType(imports, value.type);
  }
}

/** Returns the type of a list, e.g. `readonly (readonly string[])[]`. */
function listType(imports: Imports, held: Value): Doc {
  const item = typeOf(imports, held);
  if (!imports.hasReadonlyLists) return [item, "[]"];
  const isNested = held.kind === "list" && held.declared === null;
  return ["readonly ", ...(isNested ? ["(", item, ")"] : [item]), "[]"];
}

/** Returns the name of a declared type and imports it if necessary. */
export function declaredType(
  imports: Imports,
  { name, unit }: Pick<DeclaredName, "name" | "unit">,
): string {
  return imports.generatedType(unit, "types", name);
}

/** Returns the type arguments of `Call`: request, response and errors. */
export function callTypes(
  { imports, unit }: HostScope,
  { method, names, request, response }: MethodPlan,
): readonly [request: string, response: string, error: string] {
  return [
    declaredType(imports, request.object),
    method.route.kind === "webhook"
      ? "void"
      : declaredType(imports, response.object),
    imports.generatedType(unit, "errors", names.error),
  ];
}

function mapType(imports: Imports, { held, key }: MapValue): Doc {
  const valueType = typeOf(imports, held);
  if (key.kind !== "enum") return genericOf("Record", ["string", valueType]);
  // Not every value of the enum has an entry.
  const keyType = typeOf(imports, key);
  return genericOf("Partial", [genericOf("Record", [keyType, valueType])]);
}
