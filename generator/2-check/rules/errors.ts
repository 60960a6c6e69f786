import type { DeclaredError, Program } from "../program/program.js";
import { foldName } from "../program/scope.js";
import { createSuggester } from "../report/did-you-mean.js";
import { type Duplicate, findDuplicates } from "../report/duplicates.js";
import { errorAt } from "../report/finding.js";
import { locate, relate } from "../report/report.js";
import type { CheckRules } from "./rule.js";

/** Rules about declared errors. */
export const errorRules = {
  "empty-error-message": ({ nodes }) =>
    nodes.errors.flatMap(({ syntax: { name, message }, document }) => {
      if (message.text !== "" || !message.isQuoted) return [];
      return errorAt(
        locate(document, message),
        `error \`${name.text}\` has an empty message`,
        { help: "say in a few words what went wrong" },
      );
    }),

  // Codes of declared errors are positive; webrpc cuts larger ones silently.
  "invalid-error-code": ({ nodes }) =>
    nodes.errors.flatMap(({ syntax: { code }, document }) => {
      const value = Number(code.text);
      const isCode = Number.isInteger(value) && value > 0;
      if (code.text === "" || (isCode && value <= LARGEST_CODE)) return [];
      return errorAt(
        locate(document, code),
        `\`${code.text}\` cannot be the code of an error`,
        { notes: [`codes are integers from 1 to ${LARGEST_CODE}`] },
      );
    }),

  "invalid-error-status": ({ nodes }) =>
    nodes.errors.flatMap(({ syntax: { status }, document }) => {
      if (status === undefined || status.text === "") return [];
      if (/^[45][0-9]{2}$/.test(status.text)) return [];
      return errorAt(
        locate(document, status),
        `\`${status.text}\` cannot be the HTTP status of an error`,
        { notes: ["the status of an error is between 400 and 599"] },
      );
    }),

  "unknown-error": ({ nodes, scopes }) => {
    const suggest = createSuggester();
    const builtIn = {
      notes: ["built-in errors are always possible and not listed"],
    };
    return nodes.methods.flatMap(({ syntax, document }) => {
      const scope = scopes.get(document.path);
      if (!scope?.isComplete) return [];
      return (syntax.errors ?? [])
        .filter(({ text }) => !scope.errorsByName.has(text))
        .map((name) => {
          const place = locate(document, name);
          return errorAt(
            place,
            `error \`${name.text}\` is not declared`,
            name.text.startsWith("Webrpc")
              ? builtIn
              : suggest(name.text, scope.errorsByName.keys(), place),
          );
        });
    });
  },

  // Errors differ in name, whatever the case.
  "duplicate-error-name": (program) =>
    findErrorClashes(program, nameOf).map(({ first, again }) =>
      errorAt(
        locate(again.document, again.syntax.name),
        `error \`${again.syntax.name.text}\` is declared twice`,
        {
          related: [
            relate(first.document, first.syntax.name, "first declared here"),
          ],
          help: "rename or remove one of them",
        },
      ),
    ),

  // Errors differ in code: clients tell them apart by it.
  "duplicate-error-code": (program) =>
    findErrorClashes(program, codeOf)
      // Equal names are `duplicate-error-name`.
      .filter(({ first, again }) => nameOf(first) !== nameOf(again))
      .map(({ first, again }) =>
        errorAt(
          locate(again.document, again.syntax.code),
          `errors \`${first.syntax.name.text}\` and \`${again.syntax.name.text}\` have the same code ${codeOf(again)}`,
          {
            related: [
              relate(first.document, first.syntax.code, "first used here"),
            ],
            help: "give one of them another code",
          },
        ),
      ),
} satisfies CheckRules;

const LARGEST_CODE = 2 ** 31 - 1;

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
