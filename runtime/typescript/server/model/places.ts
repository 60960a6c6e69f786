import { builtInErrors } from "../../wire/errors.js";
import { maxTimerMs } from "../../values/timer.js";
import { Pacer } from "./pacer.js";
import { Refusal } from "./refusal.js";
import { endsWithRequest } from "./request-scope.js";

/** The number of slots and the rules for waiting for one. */
export interface PlaceLimits {
  /** Maximum for all requests together. */
  readonly count: number;
  /** Maximum for the requests of one tenant. */
  readonly perTenant: number;
  /** Maximum number of requests that wait for a slot. */
  readonly maxQueued: number;
  /** Maximum time in milliseconds that a request waits. */
  readonly queueMs: number;
  /** Called for each request that starts or stops waiting. */
  readonly onQueue: (change: 1 | -1) => void;
}

/** A slot that a request occupies. */
export interface Slot {
  readonly share: Share;
  /**
   * The time at which the slot becomes free even if nobody releases it, on the
   * clock of `performance.now()`.
   */
  until: number;
  /** Whether the request still occupies the slot. */
  isHeld: boolean;
}

/** A request that is waiting for a slot. */
export interface Waiter {
  readonly outcome: Promise<Slot | Refusal>;
  /**
   * Whether the request waits only for the event loop, not for a handler to
   * finish.
   */
  readonly isBrief: boolean;
  /** Stops waiting. Has no effect if the request is no longer waiting. */
  leave(): void;
}

/** The requests of one tenant. */
class Share {
  running = 0;
  /** Waiting requests, oldest first. */
  readonly queue: Set<(outcome: Slot | Refusal) => void> = new Set();
  /** Null if the tenant is unknown. */
  readonly tenant: string | null;

  constructor(tenant: string | null) {
    this.tenant = tenant;
  }
}

/**
 * How long several tenants are considered active after two consecutive requests
 * from different tenants, in milliseconds.
 */
const sharedMs = 1000;

/** The refusal of a full server, with status 503. */
export const busy: Refusal = /* @__PURE__ */ refuse(
  503,
  "too many requests at once",
);

/** The refusal for a tenant that has reached its limit, with status 429. */
const tenantBusy = /* @__PURE__ */ refuse(
  429,
  "too many requests at once from this caller",
);

/**
 * Interval at which a waiting request looks for its outcome, on platforms where
 * another request cannot wake it, in milliseconds.
 */
const pollMs = 20;

/** How long an admitted request has to notice that, in milliseconds. */
const noticeMs = 1000;

function refuse(status: number, cause: string): Refusal {
  const definition = { ...builtInErrors.WebrpcRequestFailed, status };
  return new Refusal(definition, cause, [], { "retry-after": "1" });
}

/**
 * The slots for running requests. Waiting tenants take turns, so that a tenant
 * with many requests does not delay the others. If queuing is enabled and
 * several tenants are active, a handler that would prolong a turn of the event
 * loop waits for the next turn, unless it is its tenant's first in this turn.
 * If the queue is full, the newest request of the tenant with the longest queue
 * is rejected.
 *
 * On Workers, a request can end without running any more code. Its slot is
 * therefore only leased, and the next request takes it back.
 */
export class Places {
  /** Whether slots are leased. */
  readonly isLeased: boolean = endsWithRequest();
  readonly #limits: PlaceLimits;
  /** The occupied slots. Only used if they are leased. */
  readonly #leases = new Set<Slot>();
  readonly #shares = new Map<string | null, Share>();
  /** Tenants with waiting requests, in the order of their turns. */
  readonly #turns = new Set<Share>();
  readonly #pacer = new Pacer(() => this.#admitNext());
  /**
   * Tenants whose requests have started in the current turn of the event loop.
   */
  readonly #served = new Set<string | null>();
  #turn = 0;
  #lastTenant: string | null = null;
  /** The time at which multiple tenants stop being considered active. */
  #isSharedUntil = 0;
  #running = 0;
  #queued = 0;

  constructor(limits: PlaceLimits) {
    this.#limits = limits;
  }

  /** Whether tenants have a limit of their own. */
  get isPerTenant(): boolean {
    return this.#limits.perTenant < Infinity;
  }

  /** Whether all slots are taken and no request may wait. */
  get isClosed(): boolean {
    const { count, maxQueued } = this.#limits;
    if (this.#running < count || maxQueued > 0) return false;
    this.#endLeases();
    return this.#running >= count;
  }

  /**
   * Returns a slot for a tenant's request, a waiter for one, or a refusal.
   *
   * Input: how long to lease the slot.
   */
  enter(tenant: string | null, leaseMs: number): Slot | Waiter | Refusal {
    this.#endLeases();
    const share = this.#shares.get(tenant) ?? this.#begin(tenant);
    const hasRoom = this.#hasRoom(share);
    if (hasRoom && this.#mayStart(share)) return this.#take(share, leaseMs);
    if (this.#makeQueueRoom(share)) return this.#wait(share, hasRoom);
    this.#forget(share);
    return this.#refusalOf(share);
  }

  /** Extends the lease of a slot to this many milliseconds from now. */
  renew(place: Slot, leaseMs: number): void {
    if (this.isLeased) place.until = performance.now() + leaseMs;
  }

  /** Releases a slot. Has no effect if the slot is already free. */
  release(place: Slot): void {
    if (!place.isHeld) return;
    const { share } = place;
    place.isHeld = false;
    this.#leases.delete(place);
    share.running -= 1;
    this.#running -= 1;
    this.#admit();
    this.#forget(share);
  }

  /** Frees the slots whose lease has ended. */
  #endLeases(): void {
    if (this.#leases.size === 0) return;
    const now = performance.now();
    for (const place of this.#leases) {
      if (place.until <= now) this.release(place);
    }
  }

  /** Starts waiting requests, at the end of this turn if possible. */
  #admit(): void {
    if (this.#queued === 0) return;
    if (!this.isLeased) this.#pacer.plan();
    else while (this.#admitNext());
  }

  #begin(tenant: string | null): Share {
    const share = new Share(tenant);
    this.#shares.set(tenant, share);
    return share;
  }

  #hasRoom(share: Share): boolean {
    return this.#running < this.#limits.count && !this.#isAtLimit(share);
  }

  /** Whether a request that finds a free slot can start immediately. */
  #mayStart(share: Share): boolean {
    // If queuing is disabled or the queue is full, the request cannot wait.
    if (this.#queued >= this.#limits.maxQueued) return true;
    if (share.queue.size > 0) return false;
    if (this.isLeased) return true;
    if (!this.#isShared(share)) return true;
    const { turn } = this.#pacer;
    if (this.#turn !== turn) this.#served.clear();
    this.#turn = turn;
    if (this.#served.has(share.tenant) && !this.#pacer.hasTime) return false;
    this.#served.add(share.tenant);
    return true;
  }

  /** Whether other tenants have sent requests recently. */
  #isShared({ tenant }: Share): boolean {
    const now = performance.now();
    if (tenant !== this.#lastTenant) this.#isSharedUntil = now + sharedMs;
    this.#lastTenant = tenant;
    return now < this.#isSharedUntil;
  }

  #isAtLimit({ running, tenant }: Share): boolean {
    return tenant !== null && running >= this.#limits.perTenant;
  }

  #refusalOf(share: Share): Refusal {
    if (this.#running >= this.#limits.count) return busy;
    return this.#isAtLimit(share) ? tenantBusy : busy;
  }

  #take(share: Share, leaseMs: number): Slot {
    share.running += 1;
    this.#running += 1;
    const place = { share, until: Infinity, isHeld: true };
    if (this.isLeased) this.#leases.add(place);
    this.renew(place, leaseMs);
    return place;
  }

  /** Starts a waiting request. Returns false if none can start. */
  #admitNext(): boolean {
    for (const share of this.#turns) {
      const [admit] = share.queue;
      if (admit === undefined || !this.#hasRoom(share)) continue;
      this.#dequeue(share, admit);
      // The tenant's next turn comes after all others have had theirs.
      if (this.#turns.delete(share)) this.#turns.add(share);
      admit(this.#take(share, noticeMs));
      return true;
    }
    return false;
  }

  /**
   * Returns whether a request may wait. If the queue is full, this may reject
   * another waiting request to make room.
   */
  #makeQueueRoom(share: Share): boolean {
    if (this.#queued < this.#limits.maxQueued) return true;
    let longest = share;
    for (const each of this.#turns) {
      if (each.queue.size > longest.queue.size) longest = each;
    }
    if (longest.queue.size <= share.queue.size + 1) return false;
    // Look for the newest request last, because a full server rejects most
    // requests before this point.
    const newest = [...longest.queue].at(-1);
    if (newest === undefined) return false;
    this.#dequeue(longest, newest);
    newest(this.#refusalOf(longest));
    return true;
  }

  #wait(share: Share, isBrief: boolean): Waiter {
    let leave = (): void => {};
    const outcome = new Promise<Slot | Refusal>((resolve) => {
      const stop = (result: Slot | Refusal): void => {
        clearTimeout(timer);
        resolve(result);
      };
      const settle = this.isLeased ? polled(stop) : stop;
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
    return { outcome, isBrief, leave };
  }

  #dequeue(share: Share, settle: (outcome: Slot | Refusal) => void): boolean {
    if (!share.queue.delete(settle)) return false;
    if (share.queue.size === 0) this.#turns.delete(share);
    this.#queued -= 1;
    this.#limits.onQueue(-1);
    return true;
  }

  /** Removes a tenant if it has no requests left. */
  #forget({ queue, running, tenant }: Share): void {
    if (running === 0 && queue.size === 0) this.#shares.delete(tenant);
  }
}

/**
 * Returns a function that another request can call. The waiting request itself
 * looks for the value and passes it on.
 */
function polled<Value>(take: (value: Value) => void): (value: Value) => void {
  let found: { readonly value: Value } | null = null;
  const timer = setInterval(() => {
    if (found === null) return;
    clearInterval(timer);
    take(found.value);
  }, pollMs);
  return (value) => {
    found = { value };
  };
}
