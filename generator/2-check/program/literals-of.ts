import type { Field } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type { AllowedValue } from "../../ir/contract.js";
import { wireValuesOf } from "../notation/wire-values.js";
import { readConstraints } from "./constraints.js";
import type { Program } from "./program.js";
import { aliasesOf, resolveType } from "./resolve-type.js";

/** Returns all values of a field as on the wire, or null if there are many. */
export function literalsOf(
  program: Program,
  document: LoadedDocument,
  field: Field,
): readonly AllowedValue[] | null {
  const type = resolveType(program, document, field.type);
  if (type === null) return [];
  const owners = [
    { document, syntax: field },
    ...aliasesOf(program, document, field.type),
  ];
  for (const { document, syntax } of owners) {
    const { enum: listed } = readConstraints(program, document, syntax);
    if (listed !== undefined) return listed;
  }
  if (type.kind === "scalar" && type.name === "bool") return [true, false];
  return type.kind === "enum" && type.declared.syntax.kind === "enum"
    ? wireValuesOf(type.declared.syntax)
    : null;
}
