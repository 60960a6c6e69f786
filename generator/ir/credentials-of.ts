import type { Credential, Method } from "./contract.js";

type Requiring = Pick<Method, "credentials">;

/** The credentials of a contract or of a plan. */
interface Declaring<Item> {
  readonly credentials: readonly Item[];
}

/**
 * Returns the credentials that a method requires, in the order in which they
 * are checked.
 */
export function credentialsOf<Item extends Pick<Credential, "header">>(
  { credentials }: Requiring,
  declared: Declaring<Item>,
): readonly Item[] {
  return credentials.flatMap((header) =>
    declared.credentials.filter((each) => each.header === header),
  );
}

/**
 * Returns the credentials that some method requires, in the order of the
 * contract.
 */
export function neededCredentials<Item extends Pick<Credential, "header">>(
  methods: readonly Requiring[],
  { credentials }: Declaring<Item>,
): readonly Item[] {
  const headers = new Set(methods.flatMap((method) => method.credentials));
  return credentials.filter(({ header }) => headers.has(header));
}

/**
 * Whether a credential is a user name and a password in base64 (RFC 7617), in
 * any header.
 */
export function isBasic({ scheme }: Pick<Credential, "scheme">): boolean {
  return scheme?.toLowerCase() === "basic";
}
