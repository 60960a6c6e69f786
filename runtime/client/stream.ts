import type { ClientOptions, Result } from "./call.js";
import { rpc, type ClientMethod, type MethodOptions } from "./client-method.js";
import { reconnectStream, type ReconnectOptions } from "./reconnect.js";
import { hearRetryAfter } from "./retry-after.js";
import { callsOf } from "./settle.js";
import { connectStream, type ConnectionOptions } from "./stream-connection.js";
import type { TransportError } from "./transport-error.js";

export type { ReconnectOptions } from "./reconnect.js";

/** What holds for one stream; wins over what holds for the client. */
export interface StreamOptions<
  Request = unknown,
  Item = unknown,
> extends ConnectionOptions {
  /** Takes the stream up again when it is lost; it ends with an error unless given. */
  readonly reconnect?: ReconnectOptions<Request, Item>;
}

/** The request may be left out when it has no field that must be there. */
export type StreamArguments<Request, Item> = {} extends Request
  ? [request?: Request, options?: StreamOptions<Request, Item>]
  : [request: Request, options?: StreamOptions<Request, Item>];

/**
 * One streaming method of a client. Nothing is sent before the first item is
 * asked for; every iteration is a request of its own. To leave the loop is to
 * end the stream.
 *
 * Errors: RpcError as the server answers it or breaks off with (`Failure` says
 * which are declared), TransportError `stream-lost` when the connection breaks
 * or falls silent, `aborted` when a signal says so, and others as for a `Call`.
 */
export interface StreamCall<Request, Item, Failure> {
  (...args: StreamArguments<Request, Item>): AsyncIterable<Item>;
  /** The same, but an RpcError is the last thing given, and not thrown. */
  result(
    ...args: StreamArguments<Request, Item>
  ): AsyncIterable<Result<Item, Failure | TransportError>>;
}

/** How a streaming method is called; made by `stream`. */
export interface StreamMethod<
  Request = unknown,
  Item = unknown,
  Failure = unknown,
> {
  /** How the request is sent, and one item read. */
  readonly item: ClientMethod<Request, Item, Failure>;
}

/**
 * A method that answers one item after the other.
 *
 * Input: its path, e.g. `/rpc/Chat/Watch`.
 */
export function stream<Request, Item, Failure>(
  path: string,
  options?: MethodOptions<Request, Item>,
): StreamMethod<Request, Item, Failure> {
  return { item: rpc(path, options) };
}

/** The streams of a table of methods: each of them as a `StreamCall`. */
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
 * The streaming methods of a client, by the names of the table.
 *
 * Example: `createStreams(options, { watch: chatWatch })`.
 */
export function createStreams<
  Methods extends Readonly<Record<string, StreamMethod>>,
>(options: ClientOptions, methods: Methods): Streams<Methods>;
/** The same; its types stand above. */
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
 * Opens a single stream; a bundle of it holds nothing that is not used.
 *
 * Example: `for await (const item of openStream(options, chatWatch, { room }))`.
 * Errors: as `StreamCall`.
 */
export function openStream<Request, Item, Failure>(
  options: ClientOptions,
  method: StreamMethod<Request, Item, Failure>,
  ...args: StreamArguments<Request, Item>
): AsyncIterable<Item>;
/** The same; its types stand above. */
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
      const { fetch, delayMs } = hearRetryAfter(options.fetch);
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
    // The contract says which errors there are; others keep name and text.
    yield { ok: false, error };
  }
}

function settleItems(
  items: AsyncIterable<unknown>,
): AsyncIterable<Result<unknown, unknown>> {
  return { [Symbol.asyncIterator]: () => settle(items) };
}
