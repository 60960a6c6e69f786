import type { ClientInterceptor, Fetch } from "./call.js";
import { Chunks } from "../wire/chunks.js";

/** Options for {@link limitResponses}. */
export interface ResponseLimits {
  /**
   * Maximum size of a response body in bytes, after decompression. Default: 32
   * MiB.
   */
  readonly maxBytes?: number;
}

/**
 * Limits the size of response bodies, so that a server cannot exhaust the
 * client's memory. Calls with larger responses fail with `bad-response`. Files
 * and streams are not limited, but their error responses are. React Native, whose
 * `fetch` has no `Response.body`, reads responses of any size.
 *
 * Example: `use: [limitResponses({ maxBytes: 1024 * 1024 })]`.
 */
export function limitResponses({
  maxBytes = 32 * 1024 * 1024,
}: ResponseLimits = {}): ClientInterceptor {
  return (next) => (call) => {
    const limited: Fetch = async (url, init) =>
      limit(await (call.fetch ?? fetch)(url, init), maxBytes);
    return next({ ...call, fetch: limited });
  };
}

/**
 * Reads the whole body and returns an equivalent response. If the body is too
 * long, replaces it with text that is not JSON.
 */
export async function limit(
  response: Response,
  maxBytes: number,
): Promise<Response> {
  const { body, headers, status } = response;
  // React Native has no bodies as streams, and has read the whole text.
  if (!body) return response;
  const reader = body.getReader();
  const chunks = new Chunks();
  while (chunks.byteLength <= maxBytes) {
    const { done, value } = await reader.read();
    if (done) return replace(new Uint8Array(chunks.join()), headers, status);
    chunks.add(value);
  }
  reader.cancel().catch(() => {});
  const text = `the response has more than ${maxBytes} bytes`;
  return replace(text, headers, status);
}

/** Returns whether a text is what `limit` puts in place of a body. */
export function isTooLong(text: string): boolean {
  return /^the response has more than \d+ bytes$/.test(text);
}

/**
 * Creates a response with any status. Servers can send a status such as 999,
 * which the constructor of `Response` rejects.
 */
function replace(
  body: ConstructorParameters<typeof Response>[0],
  headers: Headers,
  status: number,
): Response {
  if (status >= 200 && status <= 599)
    return new Response(body, { headers, status });
  return Object.defineProperties(new Response(body, { headers }), {
    ok: { value: false },
    status: { value: status },
  });
}
