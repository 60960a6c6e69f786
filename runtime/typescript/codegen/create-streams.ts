import type { ClientOptions, Result } from "../client/call.js";
import {
  askFor,
  rpc,
  type ClientMethodOptions,
} from "../client/client-method.js";
import { endParameter } from "../wire/stream-end.js";
import { callsOf } from "../client/settle.js";
import {
  openStream,
  type StreamCall,
  type StreamMethod,
  type StreamOptions,
} from "../client/stream.js";

/**
 * Describes a method that responds with a stream of items.
 *
 * Input: its path, e.g. `/rpc/Chat/Watch`.
 */
export function stream<Request, Item, Failure>(
  path: string,
  options?: ClientMethodOptions<Request, Item>,
): StreamMethod<Request, Item, Failure> {
  const type = `application/x-ndjson${endParameter}, */*`;
  // With the caller's header, a lost stream would look complete.
  return { item: askFor(type, rpc(path, options)) };
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
  return {
    [Symbol.asyncIterator]() {
      const iterator = items[Symbol.asyncIterator]();
      const own = { [Symbol.asyncIterator]: () => iterator };
      const settled = settle(own);
      const end = settled.return.bind(settled);
      return Object.assign(settled, {
        return: async () => (await iterator.return?.(), end()),
      });
    },
  };
}
