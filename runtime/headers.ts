import type { CallOptions, CredentialValue, SenderOptions } from "./call.js";
import type { ClientMethod } from "./client-method.js";

/**
 * The headers of a request.
 *
 * The most special wins, whatever the case of its name: those of the call, of
 * the client, its credentials (only those that the method needs), the defaults.
 */
export async function toHeaders(
  options: SenderOptions,
  method: ClientMethod<never, unknown, unknown>,
  call: CallOptions,
): Promise<Headers> {
  const headers = new Headers({ accept: "application/json" });
  if (!method.pathValues) headers.set("content-type", "application/json");
  const values = options.credentials as CredentialValues;
  for (const { option, header, scheme } of method.credentials ?? []) {
    const source = values?.[option];
    const value = typeof source === "function" ? await source() : source;
    if (value) headers.set(header, scheme ? `${scheme} ${value}` : value);
  }
  for (const source of [options.headers, call.headers]) {
    const given = typeof source === "function" ? await source() : source;
    new Headers(given).forEach((value, name) => headers.set(name, value));
  }
  return headers;
}

/** The generated options of a client say which there are. */
type CredentialValues =
  Readonly<Record<string, CredentialValue | undefined>> | undefined;
