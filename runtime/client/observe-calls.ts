import type { ClientCall, ClientInterceptor } from "./call.js";

/** What became of a call. */
export interface CallOutcome {
  /** What was thrown; null for a success. */
  readonly error: unknown;
  /** HTTP status of the last answer; null when there was none. */
  readonly status: number | null;
  /** From the call to its outcome. */
  readonly durationMs: number;
  /** How many requests were sent. */
  readonly requests: number;
}

/** Hears of calls; for logs, metrics and traces. */
export interface CallObserver {
  readonly onStart?: (call: ClientCall) => void;
  /** Called once for every `onStart`. */
  readonly onEnd?: (call: ClientCall, outcome: CallOutcome) => void;
}

/**
 * Tells an observer of every call, or of every attempt when it stands behind
 * `retry`. What the observer throws disturbs no call.
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
    // Some `fetch` may not heed the signal, and then nothing else ends it.
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

function quietly(tell: () => void): void {
  try {
    tell();
  } catch {
    // The observer's own affair.
  }
}
