import { fillAddress } from "./address.js";
import { fromEnvelope } from "./bare-error.js";
import type { CallOptions, ClientOptions } from "./call.js";
import type { ClientMethod } from "./client-method.js";
import { addHeaders } from "./headers.js";
import { roundTrip } from "./round-trip.js";
import { createTransportError } from "./transport-error.js";

/**
 * Calls a method.
 *
 * Input: `url` stands for the address that client and method make; it is left as
 * it is.
 */
export async function callMethod<Request, Response>(
  options: ClientOptions,
  method: ClientMethod<Request, Response, unknown>,
  request: Request,
  call: CallOptions = {},
  url = toUrl(options, call, method.toPath(request)),
): Promise<Response> {
  const body = method.write(request);
  const headers = body ? { "content-type": "application/json" } : {};
  await addHeaders(headers, options, method, call);
  const [{ ok, status }, text] = await roundTrip(
    options.fetch ?? fetch,
    url,
    { method: body ? "POST" : "GET", body, headers },
    [options.signal, call.signal],
    call.timeoutMs ?? options.timeoutMs,
  );
  let error;
  try {
    if (ok) return method.read(text);
    error = fromEnvelope(JSON.parse(text), status);
  } catch {
    // Neither of this protocol, then.
  }
  const excerpt = text.slice(0, 500);
  throw error ?? createTransportError("bad-response", excerpt, status);
}

/** The address of a method, its placeholders filled. */
export function toUrl(
  options: ClientOptions,
  call: CallOptions,
  path: string,
): string {
  const parameters: Readonly<Record<string, string | null>> = {
    // Objects inherit values that nobody gave.
    __proto__: null,
    ...options.parameters,
    ...call.parameters,
  };
  return fillAddress(options.baseUrl.replace(/\/+$/, "") + path, (name) =>
    encodeURIComponent(parameters[name] ?? ""),
  );
}
