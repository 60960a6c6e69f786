import type { ClientOptions, Fetch, HeadersInput } from "../client/call.js";
import type { ClientMethod } from "../client/client-method.js";
import { connectStream } from "../client/stream-connection.js";
import {
  toWebrpcError,
  WebrpcError,
  WebrpcRequestFailedError,
  type WebrpcErrorClasses,
} from "./webrpc-errors.js";

/** The headers and the signal of a stream. */
export interface WebrpcOptions {
  /** Additional request headers. */
  headers?: object;
  /** Aborts the stream. */
  signal?: AbortSignal;
}

/** Callbacks of a stream. */
export interface WebrpcStreamOptions<Item> extends WebrpcOptions {
  /** Called with each item. */
  onMessage: (message: Item) => void;
  /**
   * Called when the stream fails. `reconnect` opens it again, or throws if the
   * stream was aborted.
   */
  onError: (error: WebrpcError, reconnect: () => void) => void;
  /** Called when the stream opens. */
  onOpen?: () => void;
  /** Called when the stream ends without an error. */
  onClose?: () => void;
}

/** Controls an open stream. */
export interface WebrpcStreamController {
  abort: (reason?: unknown) => void;
  /** Resolves when the stream, including all reconnections, has ended. */
  closed: Promise<void>;
}

/**
 * Opens a stream and passes its items to callbacks.
 *
 * Errors: `onError` gets all errors from the call, and none are thrown. If
 * `onMessage` throws, the stream ends. If any callback except `onOpen` throws,
 * `closed` rejects.
 */
export function followStream(
  options: ClientOptions,
  method: ClientMethod,
  request: unknown,
  stream: WebrpcStreamOptions<unknown>,
  errorByCode: WebrpcErrorClasses,
): WebrpcStreamController {
  const controller = new AbortController();
  const { signal } = controller;
  const abort = (reason?: unknown): void => controller.abort(reason);
  const all = { ...options, fetch: reportOpen(options.fetch, stream) };
  const run = async (): Promise<void> => {
    const abortToo = (): void => abort(stream.signal?.reason);
    stream.signal?.addEventListener("abort", abortToo);
    if (stream.signal?.aborted) abortToo();
    try {
      const headers: HeadersInput = Object(stream.headers);
      const items = connectStream(all, method, request, { headers }, [
        options.signal,
        signal,
      ]);
      const failure = await forwardItems(items, stream.onMessage);
      if (failure === null) stream.onClose?.();
      else stream.onError(toError(failure.error, errorByCode), reconnect);
    } finally {
      stream.signal?.removeEventListener("abort", abortToo);
    }
  };
  let follow = (): void => {};
  const reconnect = (): void => {
    if (signal.aborted) {
      throw new Error("an aborted stream cannot be reopened");
    }
    follow();
  };
  const closed = new Promise<void>((resolve, reject) => {
    let running = 0;
    follow = () => {
      running += 1;
      run().then(() => {
        running -= 1;
        if (running === 0) resolve();
      }, reject);
    };
    follow();
  });
  return { abort, closed };
}

/**
 * Returns a `fetch` that calls `onOpen` when a successful response begins.
 */
function reportOpen(
  given: Fetch | undefined,
  { onOpen }: WebrpcStreamOptions<unknown>,
): Fetch {
  return async (url, init) => {
    const response = await (given ?? fetch)(url, init);
    if (response.ok) onOpen?.();
    return response;
  };
}

/** Returns the error that ended the stream, or null if it ended normally. */
async function forwardItems(
  items: AsyncGenerator<unknown>,
  onMessage: (message: unknown) => void,
): Promise<{ readonly error: unknown } | null> {
  for (;;) {
    let next: IteratorResult<unknown>;
    try {
      next = await items.next();
    } catch (error) {
      return { error };
    }
    if (next.done) return null;
    try {
      onMessage(next.value);
    } catch (error) {
      await items.return(undefined);
      throw error;
    }
  }
}

function toError(error: unknown, classes: WebrpcErrorClasses): WebrpcError {
  const made = toWebrpcError(error, classes);
  if (made instanceof WebrpcError) return made;
  return new WebrpcRequestFailedError({ cause: String(error) });
}
