import type { Field } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type { AllowedValue } from "../../ir/contract.js";
import { wireValuesOf } from "../notation/wire-values.js";
import { limitsOf } from "./constraints.js";
import { resolveType, type Scoped } from "./resolve-type.js";

/** Returns all values of a field as on the wire, or null if there are many. */
export function literalsOf(
  program: Scoped,
  document: LoadedDocument,
  field: Field,
): readonly AllowedValue[] | null {
  const type = resolveType(program, document, field.type);
  if (type === null) return [];
  const limits = limitsOf(program, { document, syntax: field });
  const listed = limits.find((each) => each.enum)?.enum;
  if (listed !== undefined) return listed;
  if (type.kind === "scalar" && type.name === "bool") return [true, false];
  return type.kind === "enum" && type.declared.syntax.kind === "enum"
    ? wireValuesOf(type.declared.syntax)
    : null;
}
