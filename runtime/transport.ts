import { fillAddress } from "./address.js";
import { fromEnvelope } from "./bare-error.js";
import type { CallOptions, ClientOptions, SenderOptions } from "./call.js";
import type { ClientMethod } from "./client-method.js";
import { addHeaders } from "./headers.js";
import { roundTrip } from "./round-trip.js";
import { createTransportError } from "./transport-error.js";

/** As much of an answer as an error repeats. */
const maxExcerpt = 500;

/** Calls a method at the address that client, method and request make. */
export async function callMethod<Request, Response>(
  options: ClientOptions,
  method: ClientMethod<Request, Response, unknown>,
  request: Request,
  call: CallOptions = {},
): Promise<Response> {
  const template = options.baseUrl.replace(/\/+$/, "") + method.toPath(request);
  const parameters = { ...options.parameters, ...call.parameters };
  return send(
    options,
    method,
    fillAddress(template, parameters),
    request,
    call,
  );
}

/** Calls a method at `url`, as it is. */
export async function send<Request, Response>(
  options: SenderOptions,
  method: ClientMethod<Request, Response, unknown>,
  url: string,
  request: Request,
  call: CallOptions = {},
): Promise<Response> {
  const body = method.write(request);
  const type = body ? { "content-type": "application/json" } : {};
  const init = {
    method: body ? "POST" : "GET",
    body,
    headers: await addHeaders(type, options, method, call),
  };
  const [{ ok, status }, text] = await roundTrip(
    options.fetch ?? fetch,
    url,
    init,
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
  const excerpt = text.slice(0, maxExcerpt);
  throw error ?? createTransportError("bad-response", excerpt, status);
}
