import type { ClientCall, ClientInterceptor } from "./call.js";
import { quietly } from "../values/quietly.js";

/** The outcome of a call. */
export interface CallOutcome {
  /** The error that was thrown. Null if the call succeeded. */
  readonly error: unknown;
  /**
   * HTTP status of the response to the last request. Null if there was none.
   */
  readonly status: number | null;
  /** Duration of the call in milliseconds. */
  readonly durationMs: number;
  /** Number of requests that were sent. */
  readonly requests: number;
}

/** Callbacks for logs, metrics, and traces of calls. */
export interface CallObserver {
  /** Called when a call starts. */
  readonly onStart?: (call: ClientCall) => void;
  /** Called when a call ends, once for every `onStart`. */
  readonly onEnd?: (call: ClientCall, outcome: CallOutcome) => void;
}

/**
 * Tells an observer about every call or, if this interceptor is listed after
 * `retry`, about every attempt. Errors that the observer throws are ignored.
 *
 * Example: `use: [observe({ onEnd: (call, { durationMs }) => … })]`.
 */
export function observe({ onStart, onEnd }: CallObserver): ClientInterceptor {
  return (next) => async (call) => {
    const start = performance.now();
    let status: number | null = null;
    let requests = 0;
    let isOver = false;
    const end = (error: unknown): void => {
      if (isOver) return;
      isOver = true;
      call.signal?.removeEventListener("abort", leave);
      const durationMs = performance.now() - start;
      quietly(() => onEnd?.(call, { error, status, durationMs, requests }));
    };
    // Some `fetch` functions ignore the signal, so report the end here.
    const leave = (): void => end(call.signal?.reason);
    const watched = async (url: string, init: RequestInit) => {
      requests += 1;
      status = null;
      const response = await (call.fetch ?? fetch)(url, init);
      status = response.status;
      return response;
    };
    quietly(() => onStart?.(call));
    call.signal?.addEventListener("abort", leave);
    try {
      const response = await next({ ...call, fetch: watched });
      end(null);
      return response;
    } catch (error) {
      end(error);
      throw error;
    }
  };
}
