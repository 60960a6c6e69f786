import { fromEnvelope } from "../bare-error.js";
import type { CallOptions, ClientOptions } from "./call.js";
import type { ClientMethod } from "./client-method.js";
import { addHeaders } from "./headers.js";
import { readLines } from "./read-lines.js";
import { StreamGuard } from "./stream-guard.js";
import { createStreamLost, createTransportError } from "./transport-error.js";
import { toUrl } from "./transport.js";

/** What holds for the connection of a stream. */
export interface ConnectionOptions extends CallOptions {
  /**
   * Milliseconds until the server has to begin its answer; as long as
   * `silenceMs` unless given.
   */
  readonly timeoutMs?: number;
  /**
   * Milliseconds without any byte, after which the stream counts as lost: 15,000
   * unless given, because servers say every 10,000 that they are there.
   * `Infinity` lifts the limit.
   */
  readonly silenceMs?: number;
}

/**
 * Sends a request, and gives the items of its answer until that ends. Leaves
 * neither connection nor timer nor listener behind, however it is left.
 *
 * Errors: as `StreamCall`.
 */
export async function* connectStream<Request, Item>(
  options: ClientOptions,
  method: ClientMethod<Request, Item, unknown>,
  request: Request,
  call: ConnectionOptions,
): AsyncGenerator<Item, void, undefined> {
  const guard = new StreamGuard([options.signal, call.signal]);
  try {
    const response = await sendRequest(options, method, request, call, guard);
    yield* readItems(method, response, call.silenceMs, guard);
  } finally {
    guard.end();
  }
}

const usualSilenceMs = 15_000;

/** The answer, once it has begun. */
async function sendRequest<Request, Item>(
  options: ClientOptions,
  method: ClientMethod<Request, Item, unknown>,
  request: Request,
  call: ConnectionOptions,
  guard: StreamGuard,
): Promise<Response> {
  const parameters = { ...options.parameters, ...call.parameters };
  const url = toUrl({ ...options, parameters }, method, request);
  const body = method.write(request);
  const headers = { "content-type": "application/json" };
  await addHeaders(headers, {
    ...options,
    method,
    headers: [options.headers, call.headers],
  });
  const { signal } = guard;
  const send = options.fetch ?? fetch;
  const limitMs =
    call.timeoutMs ?? options.timeoutMs ?? call.silenceMs ?? usualSilenceMs;
  const within = <Value>(work: () => Promise<Value>): Promise<Value> =>
    guard.within(
      work,
      limitMs,
      () => createTransportError("timeout", undefined),
      (cause) => createTransportError("network", cause),
    );
  const response = await within(() =>
    send(url, { method: "POST", body, headers, signal }),
  );
  if (response.ok) return response;
  const text = await within(() => response.text());
  throw (
    readEnvelope(text, response.status) ??
    createTransportError("bad-response", text.slice(0, 500), response.status)
  );
}

async function* readItems<Request, Item>(
  method: ClientMethod<Request, Item, unknown>,
  { body, status }: Response,
  silenceMs = usualSilenceMs,
  guard: StreamGuard,
): AsyncGenerator<Item, void, undefined> {
  const reader = body?.getReader();
  if (reader === undefined) throw createStreamLost("the answer has no body");
  const isSilent = (): Error => createStreamLost("the server is silent");
  const read = () =>
    guard.within(() => reader.read(), silenceMs, isSilent, createStreamLost);
  try {
    for await (const [line, isWhole] of readLines(read)) {
      guard.throwIfAborted();
      yield readItem(method, line, isWhole, status);
    }
  } finally {
    // For a `fetch` that does not heed signals.
    reader.cancel().catch(() => {});
  }
}

/** Errors: the error that the line is, or what is wrong with it. */
function readItem<Request, Item>(
  method: ClientMethod<Request, Item, unknown>,
  line: string,
  isWhole: boolean,
  status: number,
): Item {
  const error = line.includes('"webrpcError"') ? readError(line) : null;
  if (error !== null) throw error;
  try {
    return method.read(line);
  } catch {
    throw isWhole
      ? createTransportError("bad-response", line.slice(0, 500), status)
      : createStreamLost("the last line is cut off");
  }
}

function readError(line: string): Error | null {
  try {
    const { webrpcError }: { webrpcError?: unknown } = JSON.parse(line);
    return fromEnvelope(webrpcError, 400);
  } catch {
    return null;
  }
}

function readEnvelope(text: string, status: number): Error | null {
  try {
    return fromEnvelope(JSON.parse(text), status);
  } catch {
    return null;
  }
}
