import type { Argument, Field, Message } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type { Declared, Program } from "./program.js";
import { findType } from "./reach.js";

/** An argument, or a field of the message's struct. */
export type MessageField = Declared<Argument | Field>;

/** Returns the fields of a message: none if its struct is not declared. */
export function fieldsOf(
  program: Program,
  document: LoadedDocument,
  { arguments: given, succinct }: Message,
): readonly MessageField[] {
  if (succinct === undefined) {
    return given.map((syntax) => ({ syntax, document }));
  }
  const struct = findType(program, document, succinct.text);
  if (struct?.syntax.kind !== "struct") return [];
  return struct.syntax.fields.map((syntax) => {
    return { syntax, document: struct.document };
  });
}
