import type { AliasDeclaration, Word } from "../../1-parse/ast.js";
import type { Diagnostic } from "../../diagnostics/diagnostic.js";
import { findMetadata } from "../notation/metadata.js";
import type { Declared, Program } from "../program/program.js";
import { locate, reportError, type Details } from "../report/report.js";
import { resolveType } from "../program/resolve-type.js";
import { didYouMean } from "../report/did-you-mean.js";
import type { Rule } from "./rule.js";

/** Characters of a header name or an authentication scheme (RFC 9110, 5.6.2). */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** A credential is a string alias with a header, and an error for its absence. */
export const invalidCredential: Rule = (program) =>
  program.nodes.aliases.flatMap((alias) => {
    const fault = findFault(alias, program);
    return fault ? [fault] : [];
  });

function findFault(
  alias: Declared<AliasDeclaration>,
  program: Program,
): Diagnostic | null {
  const { syntax, document } = alias;
  const report = (at: Word, message: string, details?: Details): Diagnostic =>
    reportError("invalid-credential", locate(document, at), message, details);
  const header = findMetadata(syntax, "header");
  const scheme = findMetadata(syntax, "scheme");
  const error = findMetadata(syntax, "error");
  if (header === undefined) {
    const other = scheme ?? error;
    if (other === undefined) return null;
    return report(other.key, `\`${other.key.text}\` without a \`header\``, {
      help: "add the header that carries the credential: `+ header = X-Access-Key`",
    });
  }
  for (const each of [header, scheme]) {
    if (each === undefined || TOKEN.test(each.value.text)) continue;
    const { key, value } = each;
    return report(value, `\`${value.text}\` cannot be a ${key.text}`);
  }
  if (error === undefined) {
    return report(
      syntax.name,
      `credential \`${syntax.name.text}\` has no error`,
      {
        help: "name the error that answers when it is missing: `+ error = Unauthorized`",
      },
    );
  }
  return (
    findWrongType(alias, program) ??
    findUnknownError(error.value, alias, program)
  );
}

function findWrongType(
  { syntax, document }: Declared<AliasDeclaration>,
  program: Program,
): Diagnostic | null {
  const type = resolveType(program, document, syntax.type);
  if (type === null || (type.kind === "scalar" && type.name === "string")) {
    return null;
  }
  return reportError(
    "invalid-credential",
    locate(document, syntax.type),
    `credential \`${syntax.name.text}\` is not a \`string\``,
  );
}

function findUnknownError(
  name: Word,
  { document }: Declared<AliasDeclaration>,
  { scopes }: Program,
): Diagnostic | null {
  const scope = scopes.get(document.path);
  if (!scope?.isComplete || scope.errorsByName.has(name.text)) return null;
  const place = locate(document, name);
  return reportError(
    "invalid-credential",
    place,
    `error \`${name.text}\` is not declared`,
    didYouMean(name.text, scope.errorsByName.keys(), place),
  );
}
