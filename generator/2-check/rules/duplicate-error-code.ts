import { findErrorClashes } from "../report/error-clashes.js";
import type { DeclaredError } from "../program/program.js";
import { locate, relate, reportError } from "../report/report.js";
import { foldName } from "../program/scope.js";
import type { Rule } from "./rule.js";

/** Errors differ in code: clients tell them apart by it. */
export const duplicateErrorCode: Rule = (program) =>
  findErrorClashes(program, keyOf)
    // Equal names are `duplicate-error-name`.
    .filter(({ first, again }) => nameOf(first) !== nameOf(again))
    .map(({ first, again }) =>
      reportError(
        "duplicate-error-code",
        locate(again.document, again.syntax.code),
        `errors \`${first.syntax.name.text}\` and \`${again.syntax.name.text}\` have the same code ${keyOf(again)}`,
        {
          related: [
            relate(first.document, first.syntax.code, "first used here"),
          ],
          help: "give one of them another code",
        },
      ),
    );

function keyOf({ syntax }: DeclaredError): string {
  return String(Number(syntax.code.text));
}

function nameOf({ syntax }: DeclaredError): string {
  return foldName(syntax.name.text);
}
