import type { DeclaredError } from "../program/program.js";
import { findErrorClashes } from "../report/error-clashes.js";
import { locate, relate, reportError } from "../report/report.js";
import { foldName } from "../program/scope.js";
import type { Rule } from "./rule.js";

/** Errors differ in name, whatever the case. */
export const duplicateErrorName: Rule = (program) =>
  findErrorClashes(program, keyOf).map(({ first, again }) =>
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

function keyOf({ syntax }: DeclaredError): string {
  return foldName(syntax.name.text);
}
