import type { CredentialRule } from "./server-method.js";

type CredentialCarrier = Pick<CredentialRule, "cookie" | "header" | "scheme">;

/** Whether a credential is in the query of a request's target. */
export function isInQuery({
  header,
}: Pick<CredentialCarrier, "header">): boolean {
  return header.startsWith("?");
}

/** Returns the headers that carry credentials. */
export function headersOf(
  rules: readonly Pick<CredentialCarrier, "header">[],
): readonly string[] {
  return rules.flatMap((rule) => (isInQuery(rule) ? [] : rule.header));
}

/**
 * Returns the value of a credential after its scheme. Returns null if it is
 * missing or empty, or if a cookie or a parameter of the query is given several
 * times, because different servers would read different ones.
 *
 * Input: a function that returns headers, and credentials in the query by `?` and
 * their names.
 */
export function credentialIn(
  { cookie, header, scheme }: CredentialCarrier,
  read: (name: string) => string | null,
): string | null {
  const text = read(header)?.trim() ?? "";
  if (cookie !== undefined) {
    const values = cookiesIn(text, cookie);
    return values.length > 1 ? null : values[0] || null;
  }
  if (scheme === null) return text === "" ? null : text;
  const prefix = text.slice(0, scheme.length + 1).toLowerCase();
  if (prefix !== `${scheme.toLowerCase()} `) return null;
  return text.slice(prefix.length).trim();
}

/** Returns the values of a cookie as they were sent, with quotes and escapes. */
function cookiesIn(header: string, name: string): readonly string[] {
  return header.split(";").flatMap((pair) => {
    const at = pair.indexOf("=");
    return at !== -1 && pair.slice(0, at).trim() === name
      ? pair.slice(at + 1).trim()
      : [];
  });
}

/** Whether a request contains a credential, even one that cannot be read. */
function isSent(
  { cookie, header }: CredentialCarrier,
  read: (name: string) => string | null,
): boolean {
  const text = read(header);
  if (text === null || cookie === undefined) return text !== null;
  return cookiesIn(text, cookie).length > 0;
}

/**
 * Returns the credentials to verify. With alternatives, those are the first list
 * that a request contains. If it contains none, the first list names the error.
 * A list without credentials is for requests that contain nothing of any list, so
 * that a wrong credential is never treated as none.
 *
 * The choice does not depend on the values. Otherwise, a caller could send a valid
 * credential and any number of invalid ones, and each would be another tenant.
 */
export function requiredOf<Rule extends CredentialCarrier>(
  credentials: readonly Rule[],
  alternatives: readonly (readonly CredentialCarrier[])[] | undefined,
  read: (name: string) => string | null,
): readonly Rule[] {
  if (alternatives === undefined) return credentials;
  const chosen =
    alternatives.find((rules) =>
      rules.length === 0
        ? !credentials.some((rule) => isSent(rule, read))
        : rules.every((rule) => credentialIn(rule, read) !== null),
    ) ?? alternatives[0];
  const headers = chosen?.map(placeKey) ?? [];
  return credentials.filter((rule) => headers.includes(placeKey(rule)));
}

function placeKey({ cookie, header }: CredentialCarrier): string {
  return `${header};${cookie ?? ""}`;
}

/** Names the place of a credential, e.g. `header Authorization with Bearer`. */
export function describePlace({
  cookie,
  header,
  scheme,
}: CredentialCarrier): string {
  if (cookie !== undefined) return `cookie ${cookie}`;
  if (isInQuery({ header })) return `query parameter ${header.slice(1)}`;
  return `header ${header}${scheme === null ? "" : ` with ${scheme}`}`;
}
