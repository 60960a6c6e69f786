import type { TypeExpression } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { readConstraints } from "../../2-check/program/constraints.js";
import type { Program } from "../../2-check/program/program.js";
import { aliasesOf } from "../../2-check/program/resolve-type.js";
import type { Constraints } from "../../ir/contract.js";

/**
 * Returns the limits of the aliases that a type refers to, nearest first, and of
 * no more than `atMost` of them.
 */
export function limitsAlong(
  program: Program,
  document: LoadedDocument,
  type: TypeExpression,
  atMost?: number,
): readonly Constraints[] {
  return aliasesOf(program, document, type, atMost).map((alias) =>
    readConstraints(program, alias.document, alias.syntax),
  );
}
