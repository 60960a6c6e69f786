import { AsyncLocalStorage } from "node:async_hooks";
import { setMaxListeners } from "node:events";

/** Returns a signal that aborts when nobody waits for the work any longer. */
type ReadSignal = () => AbortSignal | null;

/** Whether anybody waits for work. */
export interface Presence {
  /** Signals take time, so only work that waits reads this. */
  readonly signal: ReadSignal;
  /** Returns why nobody waits for the work any longer, or undefined. */
  readonly whyGone: () => unknown;
}

/** Who running work is for. */
interface Caller extends Presence {
  /** Null for the platform's own work. */
  readonly name: string | null;
}

const running = new AsyncLocalStorage<Caller>();

const never: ReadSignal = () => null;

/** Returns the presence of whoever has a signal. */
function presenceOf(signal: ReadSignal): Presence {
  return { signal, whyGone: () => reasonOf(signal()) };
}

/** The presence of whoever never leaves. */
export const forever: Presence = { signal: never, whyGone: () => undefined };

function reasonOf(signal: AbortSignal | null): unknown {
  return signal?.aborted === true ? signal.reason : undefined;
}

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
    whyGone: () => (hasEnded ? ended : reasonOf(signal())),
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
  presence: Presence,
): Result {
  const name = currentCaller() === null ? null : "shared";
  return running.run({ name, ...presence }, work);
}

/** Runs work for the same caller, as long as anybody waits for it. */
export function whilePresent<Result>(
  presence: Presence,
  work: () => Result,
): Result {
  return running.run({ name: currentCaller(), ...presence }, work);
}

/** Runs work for the same caller, who waits for it until a signal aborts. */
export function withSignal<Result>(
  signal: ReadSignal,
  work: () => Result,
): Result {
  return whilePresent(presenceOf(signal), work);
}

/** Runs work that goes on although its caller has left. */
export function toTheEnd<Result>(work: () => Result): Result {
  return whilePresent(forever, work);
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
  return signalOf(running.getStore() ?? forever);
}

function signalOf(presence: Presence): AbortSignal | null {
  const signal = presence.signal();
  // A call can wait for many things at once.
  if (signal !== null) setMaxListeners(Infinity, signal);
  return signal;
}

/** Returns a function that says why the caller of the running work has left. */
export function currentPresence(): Presence["whyGone"] {
  return (running.getStore() ?? forever).whyGone;
}

/**
 * Ends the running work if nobody waits for it any longer.
 *
 * Errors: the reason of the caller's signal.
 */
export function throwIfGone(): void {
  throwIf(running.getStore()?.whyGone());
}

/** Throws a reason, unless it is undefined. */
export function throwIf(reason: unknown): void {
  if (reason !== undefined) throw reason;
}

/** Callers who wait for the same work. All of them have left if each has. */
export interface Audience extends Presence {
  /** Adds the caller of the running work. */
  join(): void;
}

/** Creates an audience without callers. */
export function createAudience(): Audience {
  const callers: Presence[] = [];
  let end: AbortController | null = null;
  const whyGone = (): unknown => {
    const isHere = callers.some((each) => each.whyGone() === undefined);
    return isHere ? undefined : callers.at(-1)?.whyGone();
  };
  const check = (): void => {
    const reason = whyGone();
    if (reason !== undefined) end?.abort(reason);
  };
  const listenTo = (caller: Presence): void =>
    signalOf(caller)?.addEventListener("abort", check, { once: true });
  return {
    whyGone,
    signal: () => {
      if (end === null) {
        end = new AbortController();
        callers.forEach(listenTo);
        check();
      }
      return end.signal;
    },
    join: () => {
      const caller = running.getStore() ?? forever;
      callers.push(caller);
      if (end !== null) listenTo(caller);
    },
  };
}
