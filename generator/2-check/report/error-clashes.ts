import { findDuplicates, type Duplicate } from "./duplicates.js";
import type { DeclaredError, Program } from "../program/program.js";

/**
 * Errors that share a key with an earlier one, in a document with what it
 * imports, or in the contract as a whole. Two hosts may declare the very same
 * error each for itself.
 */
export function findErrorClashes(
  program: Program,
  keyOf: (error: DeclaredError) => string,
): readonly Duplicate<DeclaredError>[] {
  const blamed = new Set<DeclaredError>();
  const clashes: Duplicate<DeclaredError>[] = [];
  for (const group of [...program.scopes.values(), program]) {
    for (const clash of findDuplicates(group.errors, keyOf)) {
      const { first, again } = clash;
      if (blamed.has(first) || blamed.has(again)) continue;
      if (group === program && isSameError(first, again)) continue;
      blamed.add(again);
      clashes.push(clash);
    }
  }
  return clashes;
}

function isSameError(a: DeclaredError, b: DeclaredError): boolean {
  return (
    a.syntax.name.text === b.syntax.name.text &&
    a.syntax.code.text === b.syntax.code.text &&
    a.syntax.message.text === b.syntax.message.text &&
    (a.syntax.status?.text ?? "400") === (b.syntax.status?.text ?? "400")
  );
}
