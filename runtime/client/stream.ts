import type { ClientOptions, Result } from "./call.js";
import { rpc, type ClientMethod, type MethodOptions } from "./client-method.js";
import { reconnectStream, type ReconnectOptions } from "./reconnect.js";
import { trackRetryAfter } from "./retry-after.js";
import { callsOf } from "./settle.js";
import { connectStream, type ConnectionOptions } from "./stream-connection.js";
import type { TransportError } from "./transport-error.js";

export type { ReconnectOptions } from "./reconnect.js";

/** Options for a single stream. */
export interface StreamOptions<
  Request = unknown,
  Item = unknown,
> extends ConnectionOptions {
  /**
   * How to resume the stream after it is lost. Default: the stream ends with an
   * error.
   */
  readonly reconnect?: ReconnectOptions<Request, Item>;
}

/** Arguments of a stream. The request is optional if all its fields are. */
export type StreamArguments<Request, Item> = {} extends Request
  ? [request?: Request, options?: StreamOptions<Request, Item>]
  : [request: Request, options?: StreamOptions<Request, Item>];

/**
 * Opens streams of one method. Each iteration sends a request when its first
 * item is requested. Leaving the loop ends the stream.
 *
 * Errors: RpcError with the server's error (`Failure` lists the declared
 * errors). TransportError `stream-lost` if the connection breaks or the server
 * is silent for too long, `aborted` if a signal aborts, and others as for a
 * `Call`.
 */
export interface StreamCall<Request, Item, Failure> {
  (...args: StreamArguments<Request, Item>): AsyncIterable<Item>;
  /**
   * Opens a stream that yields an RpcError as its last item instead of throwing
   * it.
   */
  result(
    ...args: StreamArguments<Request, Item>
  ): AsyncIterable<Result<Item, Failure | TransportError>>;
}

/** Describes how to call a streaming method. `stream` creates such objects. */
export interface StreamMethod<
  Request = unknown,
  Item = unknown,
  Failure = unknown,
> {
  /** Describes how to send the request and read one item. */
  readonly item: ClientMethod<Request, Item, Failure>;
}

/**
 * Describes a method that responds with a stream of items.
 *
 * Input: its path, e.g. `/rpc/Chat/Watch`.
 */
export function stream<Request, Item, Failure>(
  path: string,
  options?: MethodOptions<Request, Item>,
): StreamMethod<Request, Item, Failure> {
  return { item: rpc(path, options) };
}

/** The streams for a table of methods. Each method is a `StreamCall`. */
export type Streams<Methods> = {
  readonly [Name in keyof Methods]: Methods[Name] extends StreamMethod<
    infer Request,
    infer Item,
    infer Failure
  >
    ? StreamCall<Request, Item, Failure>
    : never;
};

/**
 * Creates a client's streaming methods from a table.
 *
 * Example: `createStreams(options, { watch: chatWatch })`.
 */
export function createStreams<
  Methods extends Readonly<Record<string, StreamMethod>>,
>(options: ClientOptions, methods: Methods): Streams<Methods>;
/** Implements the signature above. */
export function createStreams(
  options: ClientOptions,
  methods: Readonly<Record<string, StreamMethod>>,
): unknown {
  const openOf =
    (method: StreamMethod) => (request?: unknown, own?: StreamOptions) =>
      openStream(options, method, request, own);
  return callsOf(methods, openOf, settleItems);
}

/**
 * Opens a stream of one method. Bundles include only that method.
 *
 * Example: `for await (const item of openStream(options, chatWatch, { room
 * }))`.
 * Errors: see `StreamCall`.
 */
export function openStream<Request, Item, Failure>(
  options: ClientOptions,
  method: StreamMethod<Request, Item, Failure>,
  ...args: StreamArguments<Request, Item>
): AsyncIterable<Item>;
/** Implements the signature above. */
export function openStream(
  options: ClientOptions,
  { item }: StreamMethod,
  request: unknown = {},
  call: StreamOptions = {},
): AsyncIterable<unknown> {
  const { reconnect } = call;
  const signals = [options.signal, call.signal];
  return {
    [Symbol.asyncIterator]() {
      if (reconnect === undefined) {
        return connectStream(options, item, request, call);
      }
      const { fetch, delayMs } = trackRetryAfter(options.fetch);
      const connect = (next: unknown): AsyncGenerator<unknown> =>
        connectStream({ ...options, fetch }, item, next, call);
      return reconnectStream(connect, request, reconnect, signals, delayMs);
    },
  };
}

async function* settle(
  items: AsyncIterable<unknown>,
): AsyncGenerator<Result<unknown, unknown>, void, undefined> {
  try {
    for await (const value of items) yield { ok: true, value };
  } catch (error) {
    if (!("isRpcError" in Object(error))) throw error;
    // The type `Failure` lists only declared errors, but other RpcErrors are
    // also returned, with their own name and message.
    yield { ok: false, error };
  }
}

function settleItems(
  items: AsyncIterable<unknown>,
): AsyncIterable<Result<unknown, unknown>> {
  return { [Symbol.asyncIterator]: () => settle(items) };
}
