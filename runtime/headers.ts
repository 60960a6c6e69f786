import type { CallOptions, CredentialValue, SenderOptions } from "./call.js";
import type { ClientMethod } from "./client-method.js";

/**
 * The headers of a request, by names in lower case, put into `headers`.
 *
 * The most special wins: those of the call, of the client, its credentials (only
 * those that the method needs), the given ones.
 */
export async function addHeaders(
  headers: Record<string, string>,
  options: SenderOptions,
  { credentials = [] }: ClientMethod<never, unknown, unknown>,
  call: CallOptions,
): Promise<void> {
  const values = options.credentials as CredentialValues;
  for (const { option, header, scheme } of credentials) {
    const value = await current(values?.[option]);
    if (value) {
      headers[header.toLowerCase()] = scheme ? `${scheme} ${value}` : value;
    }
  }
  for (const source of [options.headers, call.headers]) {
    if (!source) continue;
    new Headers(await current(source)).forEach((value, name) => {
      headers[name] = value;
    });
  }
}

function current<T extends object | string | undefined>(
  source: T | (() => T | Promise<T>),
): T | Promise<T> {
  return typeof source === "function" ? source() : source;
}

/** The generated options of a client say which there are. */
type CredentialValues =
  Readonly<Record<string, CredentialValue | undefined>> | undefined;
