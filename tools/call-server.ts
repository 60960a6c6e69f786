/** Limits for the responses of a server. */
export interface ServerLimits {
  /** Maximum size of a body in bytes, after decompression. */
  readonly maxBytes: number;
  /** Maximum time until the whole body has arrived, in milliseconds. */
  readonly timeoutMs: number;
  /**
   * Whether successful responses are read piece by piece, such as streams and
   * downloads. If so, the limits apply to other responses, and to the time until
   * a response begins.
   */
  readonly isPiecemeal?: boolean;
}

/** Thrown if a response is larger than allowed. */
export class LargeResponseError extends Error {
  override readonly name = "LargeResponseError";

  constructor(maxBytes: number) {
    super(`the response is larger than ${maxBytes / 1024 ** 2} MiB`);
  }
}

/**
 * Creates a `fetch` for servers that may be broken or hostile. Every tool that
 * calls a server uses it. A response cannot use more memory or time than
 * `limits` allow, and cannot send credentials elsewhere with a redirect.
 *
 * Input: `send` replaces the global `fetch`.
 * Errors: a {@link LargeResponseError} while the body is read, a `TimeoutError`,
 * and the errors of `fetch`.
 */
export function createServerFetch(
  { isPiecemeal = false, maxBytes, timeoutMs }: ServerLimits,
  send: typeof fetch = fetch,
): typeof fetch {
  return async (input, init) => {
    const late = new AbortController();
    const timer = setTimeout(
      () => late.abort(new DOMException("timed out", "TimeoutError")),
      timeoutMs,
    ).unref();
    const signal = init?.signal
      ? AbortSignal.any([init.signal, late.signal])
      : late.signal;
    const redirect = "manual";
    const response = await send(input, { ...init, redirect, signal });
    const { body, headers, ok, status } = response;
    if (isPiecemeal && ok) clearTimeout(timer);
    if (body === null || (isPiecemeal && ok)) return response;
    const limited = body.pipeThrough(limitBytes(maxBytes));
    // The constructor rejects statuses such as 999, and texts of other scripts.
    const replacement = new Response(limited, { headers });
    return Object.defineProperties(replacement, {
      ok: { value: ok },
      status: { value: status },
    });
  };
}

function limitBytes(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let byteLength = 0;
  return new TransformStream({
    transform(chunk, controller) {
      byteLength += chunk.byteLength;
      if (byteLength <= maxBytes) controller.enqueue(chunk);
      else controller.error(new LargeResponseError(maxBytes));
    },
  });
}
