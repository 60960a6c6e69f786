import type { AliasDeclaration, Word } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import { rememberEach } from "../../ir/remember.js";
import { findAnnotation, listCredentials } from "../notation/annotations.js";
import { findMetadata, metadataValue } from "../notation/metadata.js";
import { findCredentials } from "../program/credentials.js";
import { collectNodes } from "../program/nodes.js";
import type { Declared, Program } from "../program/program.js";
import { isStringType } from "../program/resolve-type.js";
import { didYouMean } from "../report/did-you-mean.js";
import { findDuplicates } from "../report/duplicates.js";
import {
  type Finding,
  inNodes,
  type NodeFinding,
  relate,
  locate,
} from "../report/finding.js";
import type { CheckRules } from "./rule.js";

/** Rules about credentials. */
export const credentialRules = {
  "invalid-credential": inNodes(["aliases"], findCredentialFault),

  // `@auth` must name declared credentials. If the contract declares none, the
  // annotation is for other tools and protects nothing, so one warning is
  // enough.
  "unknown-credential": (program) => {
    const headers = findCredentials(program).map(
      ({ syntax }) => metadataValue(syntax, "header") ?? "",
    );
    if (headers.length === 0) return reportUnchecked(program);
    const known = new Set(headers.map((header) => header.toLowerCase()));
    return program.documents
      .filter((document) =>
        [...foldedNamesIn(document)].some((name) => !name || !known.has(name)),
      )
      .flatMap(authsIn)
      .flatMap(({ document, auth, names }): Finding | readonly Finding[] => {
        const at = auth.value ?? auth;
        if (names.length === 0) {
          return {
            document,
            at,
            message: "`@auth` does not name a credential",
            help: `write it like \`@auth:"${headers[0] ?? ""}"\``,
          };
        }
        return names
          .filter((name) => !known.has(name.toLowerCase()))
          .map((name) => ({
            document,
            at,
            message: `no credential has the header \`${name}\``,
            notes: [
              `declared headers: ${headers.map((each) => `\`${each}\``).join(", ")}`,
            ],
            ...didYouMean(name, headers),
          }));
      });
  },

  "duplicate-credential": (program) => {
    const credentials = findCredentials(program).flatMap((declared) => {
      const value = findMetadata(declared.syntax, "header")?.value;
      return value ? { ...declared, value } : [];
    });
    return findDuplicates(credentials, ({ value }) =>
      value.text.toLowerCase(),
    ).map(({ first, again }) => ({
      document: again.document,
      at: again.value,
      message: `credentials \`${first.syntax.name.text}\` and \`${again.syntax.name.text}\` use the same header`,
      related: [relate(first, first.value, "first used here")],
    }));
  },
} satisfies CheckRules;

/** A document's methods with `@auth`, and the credentials that each names. */
const authsIn = rememberEach((document: LoadedDocument) =>
  collectNodes([document]).methods.flatMap(({ syntax }) => {
    const auth = findAnnotation(syntax, "auth");
    return auth ? { document, auth, names: listCredentials(auth) } : [];
  }),
);

/**
 * The credentials that `@auth` names in a document, in lower case. The set
 * contains "" if an annotation names no credential.
 */
const foldedNamesIn = rememberEach((document: LoadedDocument) => {
  const names = authsIn(document).flatMap((auth) =>
    auth.names.length === 0 ? [""] : auth.names,
  );
  return new Set(names.map((name) => name.toLowerCase()));
});

/** Characters of header names and authentication schemes (RFC 9110, 5.6.2). */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

function findCredentialFault(
  { syntax, document }: Declared<AliasDeclaration>,
  program: Program,
): NodeFinding | false {
  const { name, type } = syntax;
  const header = findMetadata(syntax, "header");
  const scheme = findMetadata(syntax, "scheme");
  const error = findMetadata(syntax, "error");
  if (header === undefined) {
    const key = (scheme ?? error)?.key;
    return (
      key !== undefined && {
        at: key,
        message: `\`${key.text}\` has no effect without a \`header\``,
        help: "add the header that carries the credential: `+ header = X-Access-Key`",
      }
    );
  }
  for (const each of [header, scheme]) {
    if (each === undefined || TOKEN.test(each.value.text)) continue;
    const { key, value } = each;
    return { at: value, message: `\`${value.text}\` cannot be a ${key.text}` };
  }
  if (error === undefined) {
    return {
      at: name,
      message: `credential \`${name.text}\` has no error`,
      help: "name the error to return when the credential is missing: `+ error = Unauthorized`",
    };
  }
  if (!isStringType(program, document, type)) {
    const message = `credential \`${name.text}\` is not a \`string\``;
    return { at: type, message };
  }
  return findUnknownError(error.value, document, program);
}

function findUnknownError(
  name: Word,
  document: Finding["document"],
  { scopes }: Program,
): NodeFinding | false {
  const scope = scopes.get(document.path);
  if (!scope?.isComplete || scope.errorsByName.has(name.text)) return false;
  const known = scope.errorsByName.keys();
  return {
    at: name,
    message: `error \`${name.text}\` is not declared`,
    ...didYouMean(name.text, known, locate(document, name)),
  };
}

function reportUnchecked({ documents }: Program): readonly Finding[] {
  const [first] = documents.flatMap(authsIn);
  if (first === undefined) return [];
  return [
    {
      document: first.document,
      at: first.auth,
      severity: "warning",
      message: "`@auth` has no effect: the contract declares no credentials",
      help: "declare one: `type ApiKey: string` with `+ header = X-Api-Key` and `+ error = …`",
    },
  ];
}
