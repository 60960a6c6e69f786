import type { AliasDeclaration, Annotation, Word } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type { CredentialPlace } from "../../ir/contract.js";
import { foldKey, keyOf } from "../../ir/credentials-of.js";
import { rememberEach } from "../../ir/remember.js";
import { findAnnotation } from "../notation/annotations.js";
import {
  credentialKey,
  findCredentials,
  isToken,
  listCredentials,
  noCredential,
  placesOf,
  writtenAlternatives,
} from "../program/credentials.js";
import { findMetadata } from "../notation/metadata.js";
import { bindingOf } from "../notation/rest-binding.js";
import { collectNodes } from "../program/nodes.js";
import type { Declared, Program } from "../program/program.js";
import { isStringType } from "../program/resolve-type.js";
import { describeUnknownError, didYouMean } from "../report/did-you-mean.js";
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
    const keys = findCredentials(program).flatMap(
      ({ syntax }) => credentialKey(syntax) ?? [],
    );
    if (keys.length === 0) return reportUnchecked(program);
    const known = new Set(keys.map(foldKey));
    return program.documents
      .filter((document) =>
        [...foldedNamesIn(document)].some((name) => !name || !known.has(name)),
      )
      .flatMap(authsIn)
      .flatMap(({ document, auth, names }): Finding | readonly Finding[] => {
        const at = auth.value ?? auth;
        const fault = findFault(auth, keys[0] ?? "");
        if (fault !== null) return { document, at, ...fault };
        return names
          .filter((name) => !known.has(foldKey(name)))
          .map((name) => ({
            document,
            at,
            message: messageOfUnknown(name),
            notes: [
              `declared ${isHeader(keys) ? "headers" : "credentials"}: ${keys.map((each) => `\`${each}\``).join(", ")}`,
            ],
            ...didYouMean(name, keys),
          }));
      });
  },

  "duplicate-credential": (program) => {
    const credentials = findCredentials(program).flatMap((declared) => {
      const [written] = placesOf(declared.syntax);
      return written === undefined ? [] : { ...declared, ...written };
    });
    return findDuplicates(credentials, ({ parameter, place }) =>
      foldKey(keyOf({ parameter: parameter.text, place })),
    ).map(({ first, again }) => ({
      document: again.document,
      at: again.parameter,
      message: `credentials \`${first.syntax.name.text}\` and \`${again.syntax.name.text}\` use the same ${placeNames[again.place]}`,
      related: [relate(first, first.parameter, "first used here")],
    }));
  },

  // Servers take credentials out of a query before they read its fields, and
  // clients send the header `Cookie` only once.
  "conflicting-credential": (program) => {
    const credentials = findCredentials(program);
    const keyed = program.documents.flatMap(authsIn).flatMap(findKeyed);
    const inQuery = credentials.flatMap(({ syntax }) =>
      placesOf(syntax).flatMap(({ parameter, place }) =>
        place === "query" ? parameter.text : [],
      ),
    );
    if (credentials.every(({ syntax }) => placeIn(syntax) === "header")) {
      return keyed;
    }
    return [
      ...keyed,
      ...program.documents.flatMap((document) =>
        findQueryClashes(document, inQuery),
      ),
      ...program.documents
        .flatMap(authsIn)
        .flatMap((auth): Finding | readonly Finding[] => {
          const { document, method, names } = auth;
          const at = auth.auth.value ?? auth.auth;
          const query = names.find((name) => name.startsWith("?"));
          if (query !== undefined && findAnnotation(method, "webhook")) {
            return {
              document,
              at,
              message: `webhook \`${method.name.text}\` cannot have \`${query}\` in its query`,
              help: "the receiver chooses the address: send the credential in a header",
            };
          }
          const isCookie = (name: string): boolean =>
            /^cookie(:|$)/iu.test(name);
          const hasTwo = names.filter(isCookie).length > 1;
          if (!hasTwo) return [];
          return {
            document,
            at,
            message: `method \`${method.name.text}\` names several credentials in the header \`Cookie\``,
            help: "name one of them",
          };
        }),
    ];
  },
} satisfies CheckRules;

/** A document's methods with `@auth`, and the credentials that each names. */
const authsIn = rememberEach((document: LoadedDocument) =>
  collectNodes([document]).methods.flatMap(({ syntax }) => {
    const auth = findAnnotation(syntax, "auth");
    return auth
      ? { document, method: syntax, auth, names: listCredentials(auth) }
      : [];
  }),
);

/**
 * The credentials that `@auth` names in a document, in lower case. The set
 * contains "" if an annotation names no credential.
 */
const foldedNamesIn = rememberEach((document: LoadedDocument) => {
  const names = authsIn(document).flatMap((auth) =>
    findFault(auth.auth, "") === null ? auth.names : [""],
  );
  return new Set(names.map(foldKey));
});

/**
 * Reports a method with a key that also accepts calls without credentials: if a
 * token expires between two attempts, both would run, for different callers.
 */
function findKeyed({
  auth,
  document,
  method,
}: ReturnType<typeof authsIn>[number]): readonly Finding[] {
  const isOptional = writtenAlternatives(auth).flat().includes(noCredential);
  if (!isOptional || !findAnnotation(method, "idempotencyKey")) return [];
  return [
    {
      document,
      at: auth.value ?? auth,
      message: `method \`${method.name.text}\` has a key, so it cannot accept calls without credentials`,
      notes: [
        "the attempts of a call could have different callers, and each would run",
      ],
      help: "remove `none`, or add a method for calls without credentials",
    },
  ];
}

function placeIn(alias: AliasDeclaration): CredentialPlace | undefined {
  return placesOf(alias)[0]?.place;
}

/** Returns what is wrong with alternatives, apart from their names, or null. */
function findFault(
  auth: Annotation,
  known: string,
): Pick<Finding, "help" | "message"> | null {
  const written = writtenAlternatives(auth);
  const isUnnamed = listCredentials(auth).length === 0;
  if (isUnnamed || written.some((keys) => keys.length === 0)) {
    const what = isUnnamed ? "`@auth`" : "an alternative of `@auth`";
    if (isUnnamed && written.flat().includes(noCredential)) {
      return {
        message: "`@auth` names no credential that callers can send",
        help: "remove `@auth`: methods without it require no credentials",
      };
    }
    return {
      message: `${what} does not name a credential`,
      help: `write it like \`@auth:"${known}"\``,
    };
  }
  const isMisplaced = written.some(
    (keys, index) =>
      keys.includes(noCredential) &&
      (keys.length > 1 || index < written.length - 1),
  );
  if (!isMisplaced) return null;
  return {
    message: "`none` in `@auth` is not the last alternative, by itself",
    help: `write it like \`@auth:"${known}|none"\``,
  };
}

/** What the name of a credential names. */
const placeNames = {
  header: "header",
  query: "parameter of the query",
  cookie: "cookie",
} as const;

function isHeader(keys: readonly string[]): boolean {
  return keys.every((key) => !/^(\?|cookie:)/iu.test(key));
}

function messageOfUnknown(name: string): string {
  return isHeader([name])
    ? `no credential has the header \`${name}\``
    : `there is no credential \`${name}\``;
}

/** Reports fields and texts in a query that have the name of a credential. */
function findQueryClashes(
  document: LoadedDocument,
  credentials: readonly string[],
): readonly Finding[] {
  return collectNodes([document]).methods.flatMap(({ syntax }) =>
    (bindingOf(syntax)?.query ?? [])
      .filter(({ parameter }) => credentials.includes(parameter?.name ?? ""))
      .map(({ parameter, span }) => ({
        document,
        at: { span },
        message: `\`${parameter?.name ?? ""}\` is a credential, so it cannot be a parameter of \`${syntax.name.text}\``,
        help: "rename one of them, or remove the parameter and name the credential with `@auth`",
      })),
  );
}

function findCredentialFault(
  { syntax, document }: Declared<AliasDeclaration>,
  program: Program,
): NodeFinding | false {
  const { name, type } = syntax;
  const [written, other] = placesOf(syntax);
  const scheme = findMetadata(syntax, "scheme");
  const error = findMetadata(syntax, "error");
  if (written && other) {
    return {
      at: other.parameter,
      message: `credential \`${name.text}\` has both a ${written.place} and a ${other.place}`,
      help: "declare a credential for each place, or remove one of them",
    };
  }
  const stray = written
    ? written.place !== "header" && scheme
    : (scheme ?? error);
  if (stray) {
    return {
      at: stray.key,
      message: `\`${stray.key.text}\` has no effect without a \`header\``,
      help: "add the header that carries the credential: `+ header = X-Access-Key`",
    };
  }
  if (written === undefined) return false;
  const { parameter, place } = written;
  for (const each of [
    { word: parameter, place },
    { word: scheme?.value, place: "scheme" },
  ]) {
    if (each.word === undefined || isToken(each.word.text)) continue;
    return {
      at: each.word,
      message: `\`${each.word.text}\` cannot be a ${each.place}`,
    };
  }
  if (place === "query" && parameter.text === "request") {
    return {
      at: parameter,
      message: "`request` cannot be a credential",
      notes: [
        "it is the parameter with the request of a method that is called with GET",
      ],
    };
  }
  if (place === "header" && foldKey(parameter.text) === noCredential) {
    return {
      at: parameter,
      message: "`none` cannot be a credential",
      notes: ["in `@auth`, it means that no credential is required"],
    };
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
    ...describeUnknownError(
      name.text,
      didYouMean(name.text, known, locate(document, name)),
    ),
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
