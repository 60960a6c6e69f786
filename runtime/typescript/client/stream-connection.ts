import { fromEnvelope } from "../wire/bare-error.js";
import type { CallOptions, ClientOptions, Fetch } from "./call.js";
import { same } from "../values/same.js";
import { parseObject, type ClientMethod } from "./client-method.js";
import { readLines } from "../wire/read-lines.js";
import { hasEnd, wordLine } from "../wire/stream-end.js";
import { StreamGuard } from "./stream-guard.js";
import { createStreamLost, createTransportErrorAs } from "./transport-error.js";
import { call as callMethod } from "./client.js";

/** Options for a stream's connection. */
export interface ConnectionOptions extends CallOptions {
  /**
   * Milliseconds within which the response must begin. Default: the client's
   * `timeoutMs`, or `silenceMs` if it has none.
   */
  readonly timeoutMs?: number;
  /**
   * Milliseconds without data after which the stream is considered lost.
   * `Infinity` means no limit. Default: 15,000, because servers by default send
   * data at least every 10,000 ms.
   */
  readonly silenceMs?: number;
  /**
   * Maximum length of a line in UTF-16 code units. A stream with a longer line
   * fails with `bad-response`. Default: 32 × 2^20.
   */
  readonly maxLineLength?: number;
}

/**
 * Sends a request and yields the items of the response. The connection, timers,
 * and listeners are always released, no matter how the loop ends.
 *
 * Input: any of `signals` aborts the stream.
 * Errors: see `StreamCall`.
 */
export async function* connectStream(
  options: ClientOptions,
  method: ClientMethod,
  request: unknown,
  call: ConnectionOptions,
  signals: readonly (AbortSignal | undefined)[],
): AsyncGenerator<unknown, void, undefined> {
  const guard = new StreamGuard(signals);
  const { silenceMs = defaultSilenceMs } = call;
  try {
    const { body, headers, status } = await open(
      options,
      method,
      request,
      call,
      guard,
    );
    const fail = (cause: string): Error =>
      createTransportErrorAs(
        "bad-response",
        { cause },
        "WebrpcBadResponse",
        -5,
        status,
      );
    const reader = body?.getReader();
    if (!reader) {
      if (status === 204) return;
      throw fail("it has no body");
    }
    const isEnded = hasEnd(headers.get("content-type"));
    const read = () =>
      guard.within(
        () => reader.read(),
        silenceMs,
        () => lost("it is silent"),
        lost,
      );
    try {
      for await (const [lines, areWhole] of readLines(
        read,
        fail,
        call.maxLineLength,
      ))
        for (const line of lines) {
          guard.throwIfAborted();
          const [word, last] = wordLine.exec(line) ?? [];
          if (last === "") return;
          if (last || word === undefined)
            yield readItem(method, line, last, areWhole, fail, isEnded);
        }
      if (isEnded) throw lost("it has no end");
    } finally {
      // Some `fetch` functions ignore signals.
      reader.cancel().catch(() => {});
    }
  } finally {
    guard.end();
  }
}

const defaultSilenceMs = 15_000;

/**
 * Returns the response once it has begun. For interceptors, this is an ordinary
 * call that returns null.
 */
async function open(
  options: ClientOptions,
  method: ClientMethod,
  request: unknown,
  call: ConnectionOptions,
  guard: StreamGuard,
): Promise<Response> {
  let answer: Response | undefined;
  const begin: Fetch = async (url, init) => {
    // The call's signal ends the wait for the response. The stream outlives it.
    const attempt = new StreamGuard([guard.signal]);
    const { signal } = attempt;
    const stop = () => attempt.end();
    init.signal?.addEventListener("abort", stop);
    const response = await (method.via ?? same)(options.fetch ?? fetch)(url, {
      ...init,
      signal,
    });
    init.signal?.removeEventListener("abort", stop);
    // Some `fetch` functions ignore the signal, and interceptors can throw.
    const { body, headers, ok, status } = response;
    const cancel = () => body?.cancel().catch(() => {});
    signal.addEventListener("abort", cancel);
    if (signal.aborted) cancel();
    if (!ok || signal.aborted) return response;
    answer = response;
    const type = headers.get("content-type") ?? "ndjson";
    const fault =
      body && !/ndjson/i.test(type) ? `not a stream: ${type}` : null;
    return new Response(fault, { headers, status });
  };
  const { silenceMs = defaultSilenceMs } = call;
  const { timeoutMs = options.timeoutMs ?? silenceMs } = call;
  const opening: ClientMethod = {
    ...method,
    decode: same,
    // Rejects the text for a response that is not a stream.
    parse: (text) => JSON.parse(text || "null"),
  };
  const { signal } = guard;
  const own = { ...call, signal, timeoutMs, isStream: true };
  await callMethod({ ...options, fetch: begin }, opening, request, own);
  // An interceptor may have returned without calling the server.
  return answer ?? new Response(null);
}

/**
 * Returns the item in a line. Throws the error in the line if there is one, or
 * a TransportError if the line is invalid.
 *
 * Input: `last` is the text in the list that ends a stream.
 */
function readItem(
  {
    decode = same,
    error: readError = fromEnvelope,
    hidden,
    parse = parseObject,
  }: ClientMethod,
  line: string,
  last: string | undefined,
  isWhole: boolean,
  fail: (cause: string) => Error,
  isEnded: boolean,
): unknown {
  let error;
  try {
    let envelope;
    if (last) envelope = parse(last);
    else {
      const message = Object(parse(line));
      // In a stream with an end, this is data.
      if (isEnded || !("webrpcError" in message)) return decode(message);
      envelope = message.webrpcError;
    }
    // The HTTP status is that of the stream.
    const { status: sent } = Object(envelope);
    // A text is no status.
    const isError = /^[45]\d\d$/.test(JSON.stringify(sent));
    error = readError(envelope, isError ? sent : 400);
  } catch (cause) {
    // The line is neither an item nor an error, unless it is that of an event.
    if ("isRpcError" in Object(cause)) error = cause;
  }
  const fault = isWhole
    ? fail(hidden ?? line.slice(0, 500))
    : lost("it is cut off");
  throw error ?? fault;
}

function lost(cause: unknown): Error {
  return createStreamLost({ cause });
}
