import { AsyncLocalStorage } from "node:async_hooks";
import { setMaxListeners } from "node:events";

/** Returns a signal that aborts when nobody waits for the work any longer. */
type ReadSignal = () => AbortSignal | null;

/** Who running work is for. */
interface Caller {
  /** Null for the platform's own work. */
  readonly name: string | null;
  readonly signal: ReadSignal;
  /** Throws the reason of the signal if it has aborted. Creates no signal. */
  readonly throwIfGone: () => void;
}

const running = new AsyncLocalStorage<Caller>();

const never: ReadSignal = () => null;

/** The reason why queued work is dropped after its call has ended. */
const ended = new Error("the call has ended");

/**
 * Runs the work of a call for its caller. When it ends, what it has left behind in
 * queues is dropped, for example the other reads of a call that failed.
 *
 * Input: the result of `signal` gets a listener only if work waits.
 */
export async function asCaller<Result>(
  name: string,
  work: () => Promise<Result>,
  signal: ReadSignal = never,
): Promise<Result> {
  let hasEnded = false;
  let follower: Follower | undefined;
  const caller: Caller = {
    name,
    signal: () => {
      follower ??= follow(signal());
      if (hasEnded) follower.end();
      return follower.signal;
    },
    throwIfGone: () => {
      if (hasEnded) throw ended;
      signal()?.throwIfAborted();
    },
  };
  try {
    return await running.run(caller, work);
  } finally {
    hasEnded = true;
    follower?.end();
  }
}

/** A signal that aborts with another one, or when its call ends. */
interface Follower {
  readonly signal: AbortSignal;
  readonly end: () => void;
}

/** Follows a signal. `AbortSignal.any` would take several times as long. */
function follow(signal: AbortSignal | null): Follower {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal?.reason);
  if (signal?.aborted === true) onAbort();
  else signal?.addEventListener("abort", onAbort);
  return {
    signal: controller.signal,
    end: () => {
      signal?.removeEventListener("abort", onAbort);
      controller.abort(ended);
    },
  };
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
  return runFor(name, signal, work);
}

/** Runs work for the same caller, who waits for it until a signal aborts. */
export function withSignal<Result>(
  signal: ReadSignal,
  work: () => Result,
): Result {
  return runFor(currentCaller(), signal, work);
}

function runFor<Result>(
  name: string | null,
  signal: ReadSignal,
  work: () => Result,
): Result {
  const throwIfGone = (): void => signal()?.throwIfAborted();
  return running.run({ name, signal, throwIfGone }, work);
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
 * Returns a signal that aborts when the caller of the running work has left, its
 * deadline has passed or its call has ended. Null if the work must not end early.
 * Only work that waits needs it, because creating it takes time.
 */
export function currentSignal(): AbortSignal | null {
  const signal = running.getStore()?.signal() ?? null;
  // A call can wait for many things at once.
  if (signal !== null) setMaxListeners(Infinity, signal);
  return signal;
}

/**
 * Throws the reason of the signal of the running work if it has aborted.
 *
 * Errors: the reason of the caller's signal.
 */
export function throwIfGone(): void {
  running.getStore()?.throwIfGone();
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
