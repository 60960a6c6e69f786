import { fromEnvelope } from "../bare-error.js";
import { withLimits } from "./call-limits.js";
import type {
  CallOptions,
  ClientCall,
  ClientNext,
  ClientOptions,
} from "./call.js";
import type { ClientMethod } from "./client-method.js";
import { addHeaders, current } from "./headers.js";
import { createTransportError } from "./transport-error.js";

/** Calls a method, through the interceptors. */
export function callMethod<Request, Response>(
  options: ClientOptions,
  method: ClientMethod<Request, Response, unknown>,
  request = {} as Request,
  call?: CallOptions,
): Promise<Response> {
  const all = { ...options, ...call };
  const start = (all.use ?? []).reduceRight<ClientNext>(
    (next, interceptor) => interceptor(next),
    send,
  );
  const outcome = withLimits(
    (signal) =>
      start({
        context: {},
        ...all,
        method,
        request,
        parameters: { ...options.parameters, ...call?.parameters },
        headers: [options.headers, call?.headers],
        signal,
      }),
    [options.signal, call?.signal],
    all.timeoutMs,
  );
  // Interceptors are trusted to give what the method gives.
  return outcome as Promise<Response>;
}

/** The innermost of the onion: one request and its answer. */
async function send(call: ClientCall): Promise<unknown> {
  const { method, signal } = call;
  // The request came with its method.
  const request = call.request as never;
  const url = toUrl(call, method, request);
  const body = method.write(request);
  const headers: Record<string, string> = body
    ? { "content-type": "application/json" }
    : {};
  await addHeaders(headers, call);
  let response: Response;
  let text: string;
  try {
    response = await (call.fetch ?? fetch)(url, {
      method: body ? "POST" : "GET",
      body,
      headers,
      signal,
    });
    text = await response.text();
  } catch (cause) {
    throw signal?.aborted
      ? signal.reason
      : createTransportError("network", cause);
  }
  const { ok, status } = response;
  let error;
  try {
    if (ok) return method.read(text);
    error = fromEnvelope(JSON.parse(text), status);
  } catch {
    // Neither of this protocol, then.
  }
  throw (
    error ?? createTransportError("bad-response", text.slice(0, 500), status)
  );
}

/** The address of a method, its placeholders filled. */
export function toUrl<Request>(
  { baseUrl, parameters = {} }: Pick<ClientOptions, "baseUrl" | "parameters">,
  { fill, toPath }: ClientMethod<Request, unknown, unknown>,
  request: Request,
): string {
  const path = toPath(request);
  return (
    current(baseUrl, parameters).replace(/\/+$/, "") +
    (fill ? fill(path, parameters) : path)
  );
}
