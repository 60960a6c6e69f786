import type { Eventually } from "./model/eventually.js";
import { busy, type Slot, type Places, type Waiter } from "./model/places.js";
import { Refusal } from "./model/refusal.js";

/** The slots that a request needs, and the request's tenant. */
export interface AdmissionParts {
  /** Slots for bodies that are being received, or null if unlimited. */
  readonly bodies: Places | null;
  /** Slots for running handlers. The request needs one of each kind. */
  readonly running: readonly Places[];
  /** How long to lease the handler's slots, in milliseconds. */
  readonly leaseMs: number;
  /** How long to lease the body's slot, in milliseconds. */
  readonly bodyLeaseMs: number;
  /** Returns the tenant. Errors: any error from the server's options. */
  readonly tenant: () => string | null;
  /**
   * Returns a signal that aborts when the client no longer waits for the
   * response.
   */
  readonly signal: () => AbortSignal;
}

/**
 * Why a request was not given its slots. Null if it has all the slots that it
 * needs.
 */
type Entry = Refusal | null;

/** The slots that one request occupies or waits for. */
export class Admission {
  readonly #parts: AdmissionParts;
  /** Slots that the request occupies, in the order of `running`. */
  readonly #places: Slot[] = [];
  #body: Slot | null = null;
  #waiter: Waiter | null = null;
  #isOver = false;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  /**
   * Counts the body as being received. Returns a refusal if there are too many.
   */
  startBody(): Entry {
    const { bodies, bodyLeaseMs, tenant } = this.#parts;
    if (this.#isOver) return busy;
    const entry = bodies?.enter(tenant(), bodyLeaseMs) ?? null;
    if (entry instanceof Refusal) return entry;
    // There is no queue for receiving bodies.
    if (entry !== null && !("outcome" in entry)) this.#body = entry;
    return null;
  }

  /** Called when the body is complete or will not be read any further. */
  endBody(): void {
    if (this.#body === null) return;
    this.#parts.bodies?.release(this.#body);
    this.#body = null;
  }

  /** Acquires the handler's slots, immediately if all are free. */
  enter(): Eventually<Entry> {
    return this.#isOver ? busy : this.#takeFrom(0, this.#parts.tenant());
  }

  /** Called when the response is sent. The request then stops waiting. */
  end(): void {
    this.#isOver = true;
    this.#waiter?.leave();
  }

  /** Whether the platform ends all work of a request with its response. */
  get endsWithRequest(): boolean {
    return this.#parts.running.some(({ isLeased }) => isLeased);
  }

  /** Called when the client has taken a piece of a streamed response. */
  renew(): void {
    const { leaseMs, running } = this.#parts;
    this.#places.forEach((place, index) => {
      running[index]?.renew(place, leaseMs);
    });
  }

  /** Called when the handler is done, including everything it streams. */
  release(): void {
    const { running } = this.#parts;
    let place = this.#places.pop();
    while (place !== undefined) {
      running[this.#places.length]?.release(place);
      place = this.#places.pop();
    }
  }

  #takeFrom(first: number, tenant: string | null): Eventually<Entry> {
    const places = this.#parts.running[first];
    if (places === undefined) return null;
    const place = places.enter(tenant, this.#parts.leaseMs);
    return "outcome" in place
      ? this.#wait(place, places).then((later) =>
          this.#hold(later, first, tenant),
        )
      : this.#hold(place, first, tenant);
  }

  #hold(
    place: Slot | Refusal,
    index: number,
    tenant: string | null,
  ): Eventually<Entry> {
    if (place instanceof Refusal) return place;
    this.#places.push(place);
    return this.#takeFrom(index + 1, tenant);
  }

  async #wait(waiter: Waiter, places: Places): Promise<Slot | Refusal> {
    this.#waiter = waiter;
    // Creating a signal is more expensive than a brief wait.
    const signal = waiter.isBrief ? null : this.#parts.signal();
    signal?.addEventListener("abort", waiter.leave);
    if (signal?.aborted === true) waiter.leave();
    const outcome = await waiter.outcome;
    signal?.removeEventListener("abort", waiter.leave);
    this.#waiter = null;
    if (outcome instanceof Refusal) return outcome;
    places.renew(outcome, this.#parts.leaseMs);
    if (!this.#isOver && outcome.isHeld) return outcome;
    places.release(outcome);
    return busy;
  }
}
