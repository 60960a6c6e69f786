import type { Argument, Field, Message } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type { Declared, Program } from "./program.js";
import { findType } from "./reach.js";

/** One argument, or one field of the struct that is the message. */
export type MessageField = Declared<Argument | Field>;

/** What a message consists of; nothing when its struct is not declared. */
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
