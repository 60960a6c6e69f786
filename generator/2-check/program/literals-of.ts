import type { Field } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type { Literal } from "../../ir/contract.js";
import type { Program } from "./program.js";
import { resolveType } from "./resolve-type.js";

/** Returns all values of a field as on the wire, or null if there are many. */
export function literalsOf(
  program: Program,
  document: LoadedDocument,
  field: Field,
): readonly Literal[] | null {
  const type = resolveType(program, document, field.type);
  if (type === null) return [];
  if (type.kind === "scalar" && type.name === "bool") return [true, false];
  if (type.kind !== "enum" || type.declared.syntax.kind !== "enum") return null;
  const { base, members } = type.declared.syntax;
  return members.map(({ name, value }) =>
    base.text === "string" ? (value ?? name).text : name.text,
  );
}
