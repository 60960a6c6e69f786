import type { Docs } from "./docs.js";

/** What identifies the caller, and where it is sent. */
export interface Credential {
  /** The alias that declares the credential, e.g. `AccessKey`. */
  readonly name: string;
  readonly docs: Docs;
  /** How `@auth` names it: `X-Access-Key`, `?api_key` or `Cookie:session`. */
  readonly key: string;
  readonly place: CredentialPlace;
  /** Name of the header, query parameter or cookie as written. */
  readonly parameter: string;
  /** Word before the value, e.g. `Bearer`, or null if there is none. */
  readonly scheme: string | null;
  /** Error for a missing or rejected credential, e.g. `AccessKeyNotFound`. */
  readonly error: string;
}

/** Where a credential is sent. The metadata key that declares it is the same. */
export type CredentialPlace = "header" | "query" | "cookie";
