import type { Credential, CredentialPlace, Method } from "./contract.js";

type Requiring = Pick<Method, "credentials">;

/** The credentials of a contract or of a plan. */
interface Declaring<Item> {
  readonly credentials: readonly Item[];
}

/**
 * Returns the credentials that a method requires, in the order in which they
 * are checked.
 */
export function credentialsOf<Item extends Pick<Credential, "key">>(
  { credentials }: Requiring,
  declared: Declaring<Item>,
): readonly Item[] {
  return credentials.flatMap((key) =>
    declared.credentials.filter((each) => each.key === key),
  );
}

/**
 * Returns the credentials that some method requires, in the order of the
 * contract.
 */
export function neededCredentials<Item extends Pick<Credential, "key">>(
  methods: readonly Requiring[],
  { credentials }: Declaring<Item>,
): readonly Item[] {
  const keys = new Set(methods.flatMap((method) => method.credentials));
  return credentials.filter(({ key }) => keys.has(key));
}

/** Returns the lists of keys of which each call of a method needs one. */
export function alternativesOf({
  alternatives,
  credentials,
}: Pick<Method, "alternatives" | "credentials">): Method["alternatives"] {
  return alternatives.length === 0 ? [credentials] : alternatives;
}

/** Whether a method accepts calls without credentials. */
export function acceptsNone(
  method: Pick<Method, "alternatives" | "credentials">,
): boolean {
  return alternativesOf(method).some((keys) => keys.length === 0);
}

/** Whether a method verifies credentials, but does not require them. */
export function hasOptionalCredentials(
  method: Pick<Method, "alternatives" | "credentials">,
): boolean {
  return method.credentials.length > 0 && acceptsNone(method);
}

/** Prints the alternatives of a method that have credentials: `X-Team,X-Member`. */
export function printAlternatives({
  alternatives,
}: Pick<Method, "alternatives">): readonly string[] {
  return alternatives.flatMap((keys) => keys.join(",") || []);
}

/**
 * Returns the keys that a call of a method lacks, of the first alternative if it
 * has none of them.
 */
export function missingKeys(
  method: Pick<Method, "alternatives" | "credentials">,
  isGiven: (key: string) => boolean,
): readonly string[] {
  // A call that contains a part of an alternative is not one without credentials.
  const isPart = method.credentials.some(isGiven);
  const missing = alternativesOf(method)
    .filter((keys) => keys.length > 0 || !isPart)
    .map((keys) => keys.filter((key) => !isGiven(key)));
  const isComplete = missing.some(({ length }) => length === 0);
  return isComplete ? [] : (missing[0] ?? []);
}

/**
 * Returns the credentials that an example of a call shows: those that are given,
 * and those that it lacks. An optional one that is not given is left out.
 */
export function shownKeys(
  method: Pick<Method, "alternatives" | "credentials">,
  isGiven: (key: string) => boolean,
): readonly string[] {
  const missing = missingKeys(method, isGiven);
  return method.credentials.filter(
    (key) => isGiven(key) || missing.includes(key),
  );
}

/**
 * Whether a credential is a user name and a password in base64 (RFC 7617), in
 * any header.
 */
export function isBasic({ scheme }: Pick<Credential, "scheme">): boolean {
  return scheme?.toLowerCase() === "basic";
}

/** All places, which are the metadata keys of credentials. */
export const credentialPlaces = [
  "header",
  "query",
  "cookie",
] as const satisfies readonly CredentialPlace[];

/** Returns the place with a name, such as `cookie`, or undefined. */
export function placeNamed(name: string | null): CredentialPlace | undefined {
  return credentialPlaces.find((place) => place === name);
}

/** Returns how `@auth` names a place, e.g. `X-Access-Key` or `?api_key`. */
export function keyOf({
  parameter,
  place,
}: Pick<Credential, "parameter" | "place">): string {
  const prefixes = { header: "", query: "?", cookie: "Cookie:" };
  return prefixes[place] + parameter;
}

/** Returns the same text for keys that name the same place. */
export function foldKey(key: string): string {
  const [, header = key, parameter = ""] =
    /^(\?|cookie:)(.*)/isu.exec(key) ?? [];
  return header.toLowerCase() + parameter;
}
