import { UnavailableError } from "../../../generated/errors.js";
import { currentSignal, throwIfGone } from "./caller.js";

/**
 * Runs work as soon as there is capacity. Queued work whose caller leaves is
 * never run.
 *
 * Input: `owner` is the caller that the work is for. Owners take turns. `restOf`
 * returns how long the owner's next turn then has to wait, in milliseconds.
 */
export type LimitWork = <Answer>(
  work: () => Promise<Answer>,
  owner?: string,
  restOf?: (answer: Answer) => number,
) => Promise<Answer>;

/** Options of a queue. */
export interface QueueOptions {
  /** How long work can be queued. By default, there is no limit. */
  readonly waitMs?: number;
  /**
   * Creates the error of work that was queued for too long, or that the queue has
   * no room for. The default is `Unavailable`.
   */
  readonly refuse?: () => Error;
}

/** The work of an owner. */
interface Lane {
  /** Includes work that has ended and that the owner rests from. */
  running: number;
  readonly waiting: Waiting[];
}

/** Work that waits for its turn. */
interface Waiting {
  readonly start: () => void;
  readonly refuse: (error: unknown) => void;
}

/**
 * Limits the amount of running and queued work, and the amount of running work
 * per owner. If the queue is full, the owner with the most queued work loses
 * some of it.
 *
 * Errors of the returned function: any error from the work; that of `refuse`; the
 * reason of the caller's signal if it aborts before the work has started.
 */
export function createLimit(
  atOnce: number,
  maxWaiting: number,
  perOwner = atOnce,
  { refuse = tooMuch, waitMs = Infinity }: QueueOptions = {},
): LimitWork {
  /** The owners with running or waiting work. */
  const lanes = new Map<string, Lane>();
  let running = 0;
  let waiting = 0;
  const enqueue = (owner: string, work: Waiting): void => {
    const lane = lanes.get(owner) ?? { running: 0, waiting: [] };
    if (waiting < maxWaiting) waiting += 1;
    else if (!makeRoom(lanes, lane, work, refuse())) return;
    lane.waiting.push(work);
    lanes.set(owner, lane);
  };
  const dequeue = (owner: string, work: Waiting): void => {
    const lane = lanes.get(owner);
    const index = lane?.waiting.indexOf(work) ?? -1;
    if (lane === undefined || index < 0) return;
    lane.waiting.splice(index, 1);
    waiting -= 1;
    forgetIdle(lanes, owner);
  };
  const startNext = (): void => {
    if (running >= atOnce) return;
    for (const [owner, lane] of lanes) {
      if (lane.running >= perOwner) continue;
      const next = lane.waiting.shift();
      if (next === undefined) continue;
      // The owner's next turn comes after those of all others.
      lanes.delete(owner);
      lanes.set(owner, lane);
      lane.running += 1;
      running += 1;
      waiting -= 1;
      return next.start();
    }
  };
  const finish = (owner: string): void => {
    const lane = lanes.get(owner);
    if (lane === undefined) return;
    lane.running -= 1;
    forgetIdle(lanes, owner);
    startNext();
  };
  return async (work, owner = "", restOf = () => 0) => {
    await wait({
      enqueue: (entry) => {
        enqueue(owner, entry);
        startNext();
      },
      dequeue: (entry) => dequeue(owner, entry),
      ...{ refuse, waitMs },
    });
    let restMs = 0;
    try {
      const answer = await work();
      restMs = restOf(answer);
      return answer;
    } finally {
      running -= 1;
      if (restMs > 0) setTimeout(finish, restMs, owner).unref();
      else finish(owner);
      startNext();
    }
  };
}

/**
 * Refuses work of the owner with the most, or the new work if that is its owner.
 * Returns whether the new work has a place.
 */
function makeRoom(
  lanes: ReadonlyMap<string, Lane>,
  lane: Lane,
  work: Waiting,
  error: Error,
): boolean {
  const longest = [...lanes.values()].reduce(longer, lane);
  const isLonger = longest.waiting.length > lane.waiting.length + 1;
  const refused = isLonger ? longest.waiting.pop() : work;
  refused?.refuse(error);
  return isLonger;
}

/** Forgets an owner without work. */
function forgetIdle(lanes: Map<string, Lane>, owner: string): void {
  const { running = 0, waiting = [] } = lanes.get(owner) ?? {};
  if (running + waiting.length === 0) lanes.delete(owner);
}

/** A queue for the work of an owner. */
interface Queue extends Required<QueueOptions> {
  readonly enqueue: (work: Waiting) => void;
  readonly dequeue: (work: Waiting) => void;
}

/** Waits until it is the turn of work, unless its caller leaves or it is late. */
function wait({ dequeue, enqueue, refuse, waitMs }: Queue): Promise<void> {
  return new Promise((resolve, reject) => {
    throwIfGone();
    let signal: AbortSignal | null = null;
    let timer: NodeJS.Timeout | undefined;
    let isQueued = true;
    const settle = (): void => {
      isQueued = false;
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    const work: Waiting = {
      start: () => {
        settle();
        resolve();
      },
      refuse: (error) => {
        settle();
        reject(error);
      },
    };
    const leave = (error: unknown): void => {
      dequeue(work);
      work.refuse(error);
    };
    const onAbort = (): void => leave(signal?.reason);
    enqueue(work);
    if (!isQueued) return;
    signal = currentSignal();
    signal?.addEventListener("abort", onAbort);
    if (waitMs === Infinity) return;
    timer = setTimeout(() => leave(refuse()), waitMs);
  });
}

function tooMuch(): Error {
  return new UnavailableError({ cause: "the queue is full" });
}

function longer(one: Lane, other: Lane): Lane {
  return other.waiting.length > one.waiting.length ? other : one;
}
