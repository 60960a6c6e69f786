import type { ClientCall, CredentialValue } from "./call.js";

/**
 * The headers of a request, by names in lower case, put into `headers`.
 *
 * The most special wins: the last of the call's, its credentials (only those
 * that the method needs), the given ones.
 */
export async function addHeaders(
  headers: Record<string, string>,
  call: Pick<ClientCall, "credentials" | "headers" | "method">,
): Promise<void> {
  const values = call.credentials as CredentialValues;
  for (const { option, header, scheme } of call.method.credentials ?? []) {
    const value = await current(values?.[option], {});
    if (value) {
      headers[header.toLowerCase()] = scheme ? `${scheme} ${value}` : value;
    }
  }
  for (const source of call.headers) {
    if (!source) continue;
    new Headers(await current(source, {})).forEach((value, name) => {
      headers[name] = value;
    });
  }
}

/** What a source is now; functions are asked, with what they go by. */
export function current<T extends object | string | undefined, By, Answer>(
  source: T | ((by: By) => Answer),
  by: By,
): T | Answer {
  return typeof source === "function" ? source(by) : source;
}

/** The generated options of a client say which there are. */
type CredentialValues =
  Readonly<Record<string, CredentialValue | undefined>> | undefined;
