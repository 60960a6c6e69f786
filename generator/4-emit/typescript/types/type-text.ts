import { isBytes } from "../../../ir/bytes.js";
import type { Field, ScalarName, TypeReference } from "../../../ir/contract.js";
import { createIndex, type ContractIndex } from "../../../ir/resolve.js";
import { propertyMember, type Member } from "../text/build.js";
import type { Doc } from "../text/format.js";
import { Imports } from "../text/imports.js";
import type { FileName, Layout, Unit } from "../names/layout.js";
import { quoteProperty } from "../text/quote.js";
import { genericOf, unionOf } from "../text/shapes.js";

/** What is needed to write types into one file. */
export interface TypeContext {
  readonly layout: Layout;
  readonly index: ContractIndex;
  readonly imports: Imports;
}

/** The context of a file of a unit. */
export function createTypeContext(
  layout: Layout,
  unit: Unit,
  file: FileName,
  index: ContractIndex = createIndex(layout.contract),
): TypeContext {
  return { layout, index, imports: new Imports(layout, unit, file) };
}

/** A property of an interface, e.g. `page?: Page | null`. */
export function propertyOf(
  context: TypeContext,
  field: Field,
  docs: readonly string[],
): Member {
  const type = fieldTypeOf(context, field);
  const name = quoteProperty(field.jsonName);
  return propertyMember(docs, name, type, field.isOptional);
}

/** TypeScript type of a field, `null` included where it is nullable. */
export function fieldTypeOf(context: TypeContext, field: Field): Doc {
  const type = isWiderByName(context, field)
    ? "number"
    : typeOf(context, field.type);
  if (!field.isNullable || type === "unknown" || type === "null") return type;
  // Named types stay on the line of the property, as Prettier has it.
  return isNamed(context, field.type)
    ? [type, " | null"]
    : unionOf([type, "null"]);
}

/** Whether the field's own limits make a number of what its alias has as bigint. */
function isWiderByName({ index }: TypeContext, field: Field): boolean {
  return index.isSafeInteger(field) && !index.isSafeInteger(field.type);
}

function isNamed(context: TypeContext, reference: TypeReference): boolean {
  return (
    reference.kind === "reference" ||
    reference.kind === "map" ||
    isBytes(context.index, reference)
  );
}

/** TypeScript type of a reference; declared types by name, imported as needed. */
export function typeOf(context: TypeContext, reference: TypeReference): Doc {
  switch (reference.kind) {
    case "scalar":
      return scalarType(context, reference.name, false);
    case "list":
      if (isBytes(context.index, reference)) return "Uint8Array";
      return [typeOf(context, reference.element), "[]"];
    case "map":
      return mapType(context, reference.key, reference.value);
    case "reference":
      return namedType(context, reference.name);
  }
}

/** Name of a declared type, imported where it is declared in another file. */
export function namedType({ layout, imports }: TypeContext, name: string) {
  const unit = layout.unitOfType(name);
  return imports.generatedType(unit, "types", layout.names.type(name));
}

function mapType(
  context: TypeContext,
  key: TypeReference,
  value: TypeReference,
): Doc {
  const resolved = context.index.resolve(key);
  const valueType = typeOf(context, value);
  if (resolved.kind !== "reference") {
    return genericOf("Record", ["string", valueType]);
  }
  // Not every value of the enum has an entry.
  const keyType = typeOf(context, key);
  return genericOf("Partial", [genericOf("Record", [keyType, valueType])]);
}

/** TypeScript type of a core type; `isSafe`: limits keep it within 2^53-1. */
export function scalarType(
  { imports, layout }: TypeContext,
  name: ScalarName,
  isSafe: boolean,
): string {
  switch (name) {
    case "any":
      return "unknown";
    case "bigint":
      return "bigint";
    case "bool":
      return "boolean";
    case "file":
      return imports.runtimeType("file-data", "FileData");
    case "null":
      return "null";
    case "string":
      return "string";
    case "timestamp":
      return layout.options.timestamp === "date" ? "Date" : "string";
    case "int64":
    case "uint64":
      return isSafe ? "number" : layout.options.int64;
    default:
      return "number";
  }
}
