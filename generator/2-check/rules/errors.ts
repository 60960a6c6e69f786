import type { DeclaredError, Program } from "../program/program.js";
import { foldName } from "../program/scope.js";
import {
  createSuggester,
  describeUnknownError,
} from "../report/did-you-mean.js";
import { createClashFinder, type Duplicate } from "../report/duplicates.js";
import { inNodes, relate, locate } from "../report/finding.js";
import type { CheckRules } from "./rule.js";

/** Rules about declared errors. */
export const errorRules = {
  "empty-error-message": inNodes(
    ["errors"],
    ({ syntax: { name, message } }) =>
      message.text === "" &&
      message.isQuoted && {
        at: message,
        message: `error \`${name.text}\` has an empty message`,
        help: "describe the problem in a few words",
      },
  ),

  // Codes of declared errors must be positive. webrpc silently truncates codes
  // that are too large.
  "invalid-error-code": inNodes(["errors"], ({ syntax: { code } }) => {
    const value = Number(code.text);
    const isCode = /^[0-9]+$/u.test(code.text) && value > 0;
    if (code.text === "" || (isCode && value <= LARGEST_CODE)) return false;
    return {
      at: code,
      message: `\`${code.text}\` is not a valid error code`,
      notes: [`a code must be an integer from 1 to ${LARGEST_CODE}`],
    };
  }),

  "invalid-error-status": inNodes(["errors"], ({ syntax: { status } }) => {
    if (status === undefined || status.text === "") return false;
    if (/^(?!304)[345][0-9]{2}$/.test(status.text)) return false;
    return {
      at: status,
      message: `\`${status.text}\` is not a valid HTTP status for an error`,
      notes: ["the status of an error must be from 300 to 599, except 304"],
    };
  }),

  "unknown-error": (program) => {
    const suggest = createSuggester();
    const builtIn = "remove it: built-in errors are always possible";
    return inNodes(["methods"], ({ syntax, document }, { scopes }) => {
      const scope = scopes.get(document.path);
      if (!scope?.isComplete) return false;
      return (syntax.errors ?? [])
        .filter(({ text }) => !scope.errorsByName.has(text))
        .map((name) => ({
          at: name,
          ...describeUnknownError(
            name.text,
            name.text.startsWith("Webrpc")
              ? { help: builtIn }
              : suggest(
                  name.text,
                  scope.errorsByName.keys(),
                  locate(document, name),
                ),
          ),
        }));
    })(program);
  },

  // Error names must differ in more than case.
  "duplicate-error-name": (program) =>
    findErrorClashes(program, findNameClashes).map(({ first, again }) => ({
      document: again.document,
      at: again.syntax.name,
      message: `error \`${again.syntax.name.text}\` is declared twice`,
      related: [relate(first, first.syntax.name, "first declared here")],
      help: "rename or remove one of them",
    })),

  // Error codes must be unique, because clients identify errors by code.
  "duplicate-error-code": (program) =>
    findErrorClashes(program, findCodeClashes)
      // Equal names are reported as `duplicate-error-name`.
      .filter(({ first, again }) => nameOf(first) !== nameOf(again))
      .map(({ first, again }) => ({
        document: again.document,
        at: again.syntax.code,
        message: `errors \`${first.syntax.name.text}\` and \`${again.syntax.name.text}\` have the same code ${codeOf(again)}`,
        related: [relate(first, first.syntax.code, "first used here")],
        help: "give one of them another code",
      })),
} satisfies CheckRules;

const LARGEST_CODE = 2 ** 31 - 1;

function nameOf({ syntax }: DeclaredError): string {
  return foldName(syntax.name.text);
}

function codeOf({ syntax }: DeclaredError): string {
  return String(Number(syntax.code.text));
}

const findNameClashes = createClashFinder(nameOf, isSameError);
const findCodeClashes = createClashFinder(codeOf, isSameError);

/** Finds errors with the same key. Two hosts can declare the same error. */
function findErrorClashes(
  { scopes, errors }: Program,
  findClashes: typeof findNameClashes,
): readonly Duplicate<DeclaredError>[] {
  const groups = [...scopes.values()].map((scope) => scope.errors);
  return findClashes(groups, [errors]);
}

function isSameError(a: DeclaredError, b: DeclaredError): boolean {
  return (
    a.syntax.name.text === b.syntax.name.text &&
    a.syntax.code.text === b.syntax.code.text &&
    a.syntax.message.text === b.syntax.message.text &&
    (a.syntax.status?.text ?? "400") === (b.syntax.status?.text ?? "400")
  );
}
