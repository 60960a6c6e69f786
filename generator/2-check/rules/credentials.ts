import type { AliasDeclaration, Word } from "../../1-parse/ast.js";
import { findAnnotation, listCredentials } from "../notation/annotations.js";
import { findMetadata, metadataValue } from "../notation/metadata.js";
import { findCredentials } from "../program/credentials.js";
import type { Declared, Program } from "../program/program.js";
import { resolveType } from "../program/resolve-type.js";
import { didYouMean } from "../report/did-you-mean.js";
import { findDuplicates } from "../report/duplicates.js";
import { type Finding, errorAt, warningAt } from "../report/finding.js";
import { type Details, locate, relate } from "../report/report.js";
import type { CheckRules } from "./rule.js";

/** Rules about credentials. */
export const credentialRules = {
  "invalid-credential": (program) =>
    program.nodes.aliases.flatMap((alias) => {
      const fault = findCredentialFault(alias, program);
      return fault ? [fault] : [];
    }),

  // `@auth` names declared credentials. Where none is declared it is for other
  // tools, and opens its method to all; saying so once is enough.
  "unknown-credential": (program) => {
    const headers = findCredentials(program).map(
      ({ syntax }) => metadataValue(syntax, "header") ?? "",
    );
    if (headers.length === 0) return reportUnchecked(program);
    const known = new Set(headers.map((header) => header.toLowerCase()));
    return program.nodes.methods.flatMap(({ syntax, document }) => {
      const auth = findAnnotation(syntax, "auth");
      if (auth === undefined) return [];
      const place = locate(document, auth.value ?? auth);
      const names = listCredentials(auth);
      if (names.length === 0) {
        return errorAt(place, "`@auth` names no credential", {
          help: `write it like \`@auth:"${headers[0] ?? ""}"\``,
        });
      }
      return names
        .filter((name) => !known.has(name.toLowerCase()))
        .map((name) =>
          errorAt(place, `no credential has the header \`${name}\``, {
            notes: [
              `declared are ${headers.map((each) => `\`${each}\``).join(", ")}`,
            ],
            ...didYouMean(name, headers),
          }),
        );
    });
  },

  "duplicate-credential": (program) => {
    const credentials = findCredentials(program).flatMap((declared) => {
      const header = findMetadata(declared.syntax, "header");
      return header ? { ...declared, value: header.value } : [];
    });
    return findDuplicates(credentials, ({ value }) =>
      value.text.toLowerCase(),
    ).map(({ first, again }) =>
      errorAt(
        locate(again.document, again.value),
        `credentials \`${first.syntax.name.text}\` and \`${again.syntax.name.text}\` use the same header`,
        { related: [relate(first.document, first.value, "first used here")] },
      ),
    );
  },
} satisfies CheckRules;

/** Characters of a header name or an authentication scheme (RFC 9110, 5.6.2). */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

function findCredentialFault(
  alias: Declared<AliasDeclaration>,
  program: Program,
): Finding | null {
  const { syntax, document } = alias;
  const report = (at: Word, message: string, details?: Details): Finding =>
    errorAt(locate(document, at), message, details);
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
): Finding | null {
  const type = resolveType(program, document, syntax.type);
  if (type === null || (type.kind === "scalar" && type.name === "string")) {
    return null;
  }
  return errorAt(
    locate(document, syntax.type),
    `credential \`${syntax.name.text}\` is not a \`string\``,
  );
}

function findUnknownError(
  name: Word,
  { document }: Declared<AliasDeclaration>,
  { scopes }: Program,
): Finding | null {
  const scope = scopes.get(document.path);
  if (!scope?.isComplete || scope.errorsByName.has(name.text)) return null;
  const place = locate(document, name);
  return errorAt(
    place,
    `error \`${name.text}\` is not declared`,
    didYouMean(name.text, scope.errorsByName.keys(), place),
  );
}

function reportUnchecked({ nodes }: Program): readonly Finding[] {
  const [first] = nodes.methods.flatMap(({ syntax, document }) => {
    const auth = findAnnotation(syntax, "auth");
    return auth === undefined ? [] : locate(document, auth);
  });
  if (first === undefined) return [];
  return [
    warningAt(
      first,
      "`@auth` checks nothing: the contract declares no credential",
      {
        help: "declare one: `type ApiKey: string` with `+ header = X-Api-Key` and `+ error = …`",
      },
    ),
  ];
}
