import type { Credential, CredentialPlace } from "../ir/credential.js";

/** A header, and the text in front of the credential in its value. */
export interface CredentialHeader {
  readonly name: string;
  readonly prefix: string;
}

/**
 * Returns the header that carries a credential, such as `Authorization` with
 * `Bearer `, or `Cookie` with `session=`. Null if it is in the query.
 */
export function headerOf({
  parameter,
  place,
  scheme,
}: Pick<
  Credential,
  "parameter" | "place" | "scheme"
>): CredentialHeader | null {
  return byPlace(
    { place },
    {
      header: { name: parameter, prefix: scheme === null ? "" : `${scheme} ` },
      query: null,
      cookie: { name: "Cookie", prefix: `${parameter}=` },
    },
  );
}

/** What messages call a place. */
export const placeTitles = {
  header: "header",
  query: "query parameter",
  cookie: "cookie",
} as const satisfies Readonly<Record<CredentialPlace, string>>;

/** Chooses by where a credential is carried. The choices cover all places. */
export function byPlace<
  Choices extends Readonly<Record<CredentialPlace, unknown>>,
>(
  { place }: Pick<Credential, "place">,
  choices: Choices,
): Choices[CredentialPlace] {
  return choices[place];
}
