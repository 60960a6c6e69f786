import type { ClientOptions, Result } from "./call.js";
import type { ClientMethod } from "./client-method.js";
import { reconnectStream, type ReconnectOptions } from "./reconnect.js";
import { trackRetryAfter } from "./retry-after.js";
import { connectStream, type ConnectionOptions } from "./stream-connection.js";
import type { CallError } from "./transport-error.js";

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
  ): AsyncIterable<Result<Item, CallError<Failure>>>;
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
  return {
    [Symbol.asyncIterator]() {
      const left = new AbortController();
      const { signal } = left;
      const signals = [options.signal, call.signal, signal];
      const { fetch, delayMs } = trackRetryAfter(options.fetch);
      const connect = (next: unknown) =>
        connectStream({ ...options, fetch }, item, next, call, signals);
      const items = reconnect
        ? reconnectStream(
            connect,
            request,
            reconnect,
            item.resume,
            signals,
            delayMs,
          )
        : connect(request);
      const next = items.next.bind(items);
      const end = items.return.bind(items);
      // Those of a generator wait for each other.
      return Object.assign(items, {
        next: () =>
          next().catch((error: unknown) => {
            if (signal.aborted) return end();
            throw error;
          }),
        return() {
          left.abort();
          return end();
        },
      });
    },
  };
}
