import type { AliasDeclaration, Annotation, Word } from "../../1-parse/ast.js";
import type { LoadedDocument } from "../../1-parse/load/load-documents.js";
import type { CredentialPlace } from "../../ir/contract.js";
import { credentialPlaces, foldKey, keyOf } from "../../ir/credentials-of.js";
import { rememberEach } from "../../ir/remember.js";
import { findMetadata, type HasMetadata } from "../notation/metadata.js";
import { collectNodes } from "./nodes.js";
import type { Declared, Program } from "./program.js";

/** Where a credential is sent, as an alias declares it. */
export interface WrittenPlace {
  readonly place: CredentialPlace;
  /** Name of the header, query parameter or cookie. */
  readonly parameter: Word;
}

/**
 * Whether a text can be the name of a header or a cookie, or an authentication
 * scheme (RFC 9110, 5.6.2). `|` cannot, because it separates alternatives.
 */
export function isToken(text: string): boolean {
  return /^[!#$%&'*+.^_`~0-9A-Za-z-]+$/u.test(text);
}

/** Returns the places in which an alias is sent. Credentials have one. */
export function placesOf(alias: HasMetadata): readonly WrittenPlace[] {
  return credentialPlaces.flatMap((place) => {
    const parameter = findMetadata(alias, place)?.value;
    return parameter === undefined ? [] : { place, parameter };
  });
}

/** Returns how `@auth` names the credential that an alias declares, if any. */
export function credentialKey(alias: HasMetadata): string | undefined {
  const [written] = placesOf(alias);
  return written && keyOf({ ...written, parameter: written.parameter.text });
}

/** How `@auth` names calls without credentials. */
export const noCredential = "none";

/**
 * Lists the alternatives of an annotation such as `@auth:"X-Key,X-App|?token"` as
 * they are written. Each is a list of keys, or of {@link noCredential}.
 */
export const writtenAlternatives = rememberEach(
  (auth: Annotation): readonly (readonly string[])[] =>
    (auth.value?.text ?? "").split("|").map((keys) =>
      keys
        .split(",")
        .map((key) => key.trim())
        .filter((key) => key !== ""),
    ),
);

/** Lists the alternatives of a valid annotation. `none` is an empty list. */
export const listAlternatives = rememberEach(
  (auth: Annotation): readonly (readonly string[])[] =>
    writtenAlternatives(auth).map((keys) =>
      keys.filter((key) => key !== noCredential),
    ),
);

/** Lists the keys of all alternatives of an annotation. */
export const listCredentials = rememberEach(
  (auth: Annotation): readonly string[] => {
    const all = listAlternatives(auth).flat();
    return all.filter(
      (key, index) =>
        index === all.findIndex((other) => foldKey(other) === foldKey(key)),
    );
  },
);

/** Returns the aliases that declare a credential. */
export function findCredentials({
  documents,
}: Program): readonly Declared<AliasDeclaration>[] {
  return documents.flatMap(credentialsOf);
}

const credentialsOf = rememberEach((document: LoadedDocument) =>
  collectNodes([document]).aliases.filter(
    ({ syntax }) => placesOf(syntax).length > 0,
  ),
);
