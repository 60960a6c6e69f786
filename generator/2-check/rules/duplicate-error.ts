import type { DeclaredError, Program } from "../program/program.js";
import { foldName } from "../program/scope.js";
import { findDuplicates, type Duplicate } from "../report/duplicates.js";
import { locate, relate, reportError } from "../report/report.js";
import type { Rule } from "./rule.js";

/** Errors differ in name, whatever the case. */
export const duplicateErrorName: Rule = (program) =>
  findErrorClashes(program, nameOf).map(({ first, again }) =>
    reportError(
      "duplicate-error-name",
      locate(again.document, again.syntax.name),
      `error \`${again.syntax.name.text}\` is declared twice`,
      {
        related: [
          relate(first.document, first.syntax.name, "first declared here"),
        ],
        help: "rename or remove one of them",
      },
    ),
  );

/** Errors differ in code: clients tell them apart by it. */
export const duplicateErrorCode: Rule = (program) =>
  findErrorClashes(program, codeOf)
    // Equal names are `duplicate-error-name`.
    .filter(({ first, again }) => nameOf(first) !== nameOf(again))
    .map(({ first, again }) =>
      reportError(
        "duplicate-error-code",
        locate(again.document, again.syntax.code),
        `errors \`${first.syntax.name.text}\` and \`${again.syntax.name.text}\` have the same code ${codeOf(again)}`,
        {
          related: [
            relate(first.document, first.syntax.code, "first used here"),
          ],
          help: "give one of them another code",
        },
      ),
    );

function nameOf({ syntax }: DeclaredError): string {
  return foldName(syntax.name.text);
}

function codeOf({ syntax }: DeclaredError): string {
  return String(Number(syntax.code.text));
}

/**
 * Errors that share a key with an earlier one, in a document with what it
 * imports, or in the contract as a whole. Two hosts may declare the very same
 * error each for itself.
 */
function findErrorClashes(
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
