import { AsyncLocalStorage } from "node:async_hooks";
import { setMaxListeners } from "node:events";

/** Returns a signal that aborts when nobody waits for the work any longer. */
type ReadSignal = () => AbortSignal | null;

/** Who running work is for. */
interface Caller {
  /** Null for the platform's own work. */
  readonly name: string | null;
  readonly signal: ReadSignal;
}

const running = new AsyncLocalStorage<Caller>();

const never: ReadSignal = () => null;

/** The reason why queued work is dropped after its call has ended. */
const hasEnded = new Error("the call has ended");

/**
 * Runs the work of a call for its caller. When it ends, what it has left behind in
 * queues is dropped, for example the other reads of a call that failed.
 *
 * Input: `signal` is only called if the work is queued.
 */
export async function asCaller<Result>(
  name: string,
  work: () => Promise<Result>,
  signal: ReadSignal = never,
): Promise<Result> {
  const end = new AbortController();
  let either: AbortSignal | null = null;
  const readEither = (): AbortSignal => {
    const other = signal();
    return (either ??= AbortSignal.any([
      end.signal,
      ...(other ? [other] : []),
    ]));
  };
  try {
    return await running.run({ name, signal: readEither }, work);
  } finally {
    end.abort(hasEnded);
  }
}

/** The name of a project's calls. */
export function callerOfProject(projectId: number): string {
  return `project ${projectId}`;
}

/**
 * Runs work that calls of several callers share. It takes turns with the callers
 * as if it were another one. The platform's own work stays its own.
 */
export function asShared<Result>(
  work: () => Result,
  signal: ReadSignal,
): Result {
  const name = currentCaller() === null ? null : "shared";
  return running.run({ name, signal }, work);
}

/** Runs work for the same caller, who waits for it until a signal aborts. */
export function withSignal<Result>(
  signal: ReadSignal,
  work: () => Result,
): Result {
  return running.run({ name: currentCaller(), signal }, work);
}

/** Runs work that goes on although its caller has left. */
export function toTheEnd<Result>(work: () => Result): Result {
  return withSignal(never, work);
}

/** Returns who made the running call, or null for the platform's own work. */
export function currentCaller(): string | null {
  return running.getStore()?.name ?? null;
}

/**
 * Returns a signal that aborts when the caller of the running work has left or
 * its deadline has passed. Null if the work must not end early.
 */
export function currentSignal(): AbortSignal | null {
  const signal = running.getStore()?.signal() ?? null;
  // A call can wait for many things at once.
  if (signal !== null) setMaxListeners(Infinity, signal);
  return signal;
}

/** Callers who wait for the same work. */
export interface Audience {
  /** Aborts when all of them have left. */
  readonly signal: AbortSignal;
  /** Adds the caller of the running work. */
  join(): void;
}

/** Creates an audience without callers. */
export function createAudience(): Audience {
  const end = new AbortController();
  let waiting = 0;
  return {
    signal: end.signal,
    join: () => {
      const signal = currentSignal();
      waiting += 1;
      const leave = (): void => {
        waiting -= 1;
        if (waiting === 0) end.abort(signal?.reason);
      };
      if (signal?.aborted === true) leave();
      else signal?.addEventListener("abort", leave, { once: true });
    },
  };
}
