import { builtInErrors } from "../../wire/errors.js";
import { maxTimerMs } from "../../values/timer.js";
import { Refusal } from "./refusal.js";

/** How many places there are, and how requests wait for one. */
export interface PlaceLimits {
  /** For all requests together. */
  readonly count: number;
  /** For the requests of one tenant. */
  readonly perTenant: number;
  /** How many requests may wait for a place. */
  readonly maxQueued: number;
  /** How long a request may wait. */
  readonly queueMs: number;
  /** Is called for each request that starts or stops waiting. */
  readonly onQueue: (change: 1 | -1) => void;
}

/** A place that a request holds, to be given back to `Places.release` once. */
export type Place = Share;

/** A request that waits for a place. */
export interface Waiter {
  readonly outcome: Promise<Place | Refusal>;
  /** Stops waiting, if it still does. */
  leave(): void;
}

/** The requests of one tenant. One object stands for each of its places. */
class Share {
  running = 0;
  /** The oldest first. */
  readonly queue = new Set<(outcome: Place | Refusal) => void>();
  /** null: nobody knows whose requests these are. */
  readonly tenant: string | null;

  constructor(tenant: string | null) {
    this.tenant = tenant;
  }
}

/** The server is full: 503. */
export const busy: Refusal = /* @__PURE__ */ refuse(
  503,
  "too many requests at once",
);

/** The tenant has as many requests as it may have: 429. */
const tenantBusy = /* @__PURE__ */ refuse(
  429,
  "too many requests at once by this caller",
);

function refuse(status: number, cause: string): Refusal {
  const definition = { ...builtInErrors.WebrpcRequestFailed, status };
  return new Refusal(definition, cause, [], { "retry-after": "1" });
}

/**
 * The places for running requests. Tenants that wait take turns, so one with
 * many requests does not delay the others. When the queue is full, the newest
 * request of the tenant with the longest queue is refused.
 */
export class Places {
  readonly #limits: PlaceLimits;
  readonly #shares = new Map<string | null, Share>();
  /** Tenants with requests that wait; the first is next. */
  readonly #turns = new Set<Share>();
  #running = 0;
  #queued = 0;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  /** Whether all places are taken and no request may wait. */
  get isClosed(): boolean {
    const { count, maxQueued } = this.#limits;
    return this.#running >= count && maxQueued === 0;
  }

  /** A place for a request of a tenant, a wait for one, or a refusal. */
  enter(tenant: string | null): Place | Waiter | Refusal {
    const share = this.#shares.get(tenant) ?? this.#begin(tenant);
    if (this.#hasRoom(share)) return this.#take(share);
    if (this.#makeQueueRoom(share)) return this.#wait(share);
    this.#forget(share);
    return this.#refusalOf(share);
  }

  /** Gives a place back. */
  release(share: Place): void {
    share.running -= 1;
    this.#running -= 1;
    if (this.#queued > 0) this.#admitNext();
    this.#forget(share);
  }

  #begin(tenant: string | null): Share {
    const share = new Share(tenant);
    this.#shares.set(tenant, share);
    return share;
  }

  #hasRoom(share: Share): boolean {
    return this.#running < this.#limits.count && !this.#isAtLimit(share);
  }

  #isAtLimit({ running, tenant }: Share): boolean {
    return tenant !== null && running >= this.#limits.perTenant;
  }

  #refusalOf(share: Share): Refusal {
    if (this.#running >= this.#limits.count) return busy;
    return this.#isAtLimit(share) ? tenantBusy : busy;
  }

  #take(share: Share): Place {
    share.running += 1;
    this.#running += 1;
    return share;
  }

  #admitNext(): void {
    for (const share of this.#turns) {
      const [admit] = share.queue;
      if (admit === undefined || !this.#hasRoom(share)) continue;
      this.#dequeue(share, admit);
      // Its next turn comes after those of all others.
      if (this.#turns.delete(share)) this.#turns.add(share);
      return admit(this.#take(share));
    }
  }

  /** Whether a request may wait, if need be in place of another. */
  #makeQueueRoom(share: Share): boolean {
    if (this.#queued < this.#limits.maxQueued) return true;
    let longest = share;
    for (const each of this.#turns) {
      if (each.queue.size > longest.queue.size) longest = each;
    }
    if (longest.queue.size <= share.queue.size + 1) return false;
    // Not before: a full server refuses many, most of them without this.
    const newest = [...longest.queue].at(-1);
    if (newest === undefined) return false;
    this.#dequeue(longest, newest);
    newest(this.#refusalOf(longest));
    return true;
  }

  #wait(share: Share): Waiter {
    let leave = (): void => {};
    const outcome = new Promise<Place | Refusal>((resolve) => {
      const settle = (result: Place | Refusal): void => {
        clearTimeout(timer);
        resolve(result);
      };
      leave = () => {
        if (!this.#dequeue(share, settle)) return;
        settle(this.#refusalOf(share));
        this.#forget(share);
      };
      const { queueMs } = this.#limits;
      const timer =
        queueMs > maxTimerMs ? undefined : setTimeout(leave, queueMs);
      share.queue.add(settle);
      this.#turns.add(share);
      this.#queued += 1;
      this.#limits.onQueue(1);
    });
    return { outcome, leave };
  }

  #dequeue(share: Share, settle: (outcome: Place | Refusal) => void): boolean {
    if (!share.queue.delete(settle)) return false;
    if (share.queue.size === 0) this.#turns.delete(share);
    this.#queued -= 1;
    this.#limits.onQueue(-1);
    return true;
  }

  /** Keeps nothing of tenants that have no request. */
  #forget({ queue, running, tenant }: Share): void {
    if (running === 0 && queue.size === 0) this.#shares.delete(tenant);
  }
}
