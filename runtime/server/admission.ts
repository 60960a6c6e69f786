import type { Eventually } from "./model/eventually.js";
import { busy, type Place, type Places, type Waiter } from "./model/places.js";
import { Refusal } from "./model/refusal.js";

/** Which places a request needs, and whose request it is. */
export interface AdmissionParts {
  /** Of bodies that are arriving; null: unlimited. */
  readonly bodies: Places | null;
  /** Of running handlers, all of which are needed. */
  readonly running: readonly Places[];
  /** Errors: what the server's options throw. */
  readonly tenant: () => string | null;
  /** Aborts when nobody waits for the answer any more. */
  readonly signal: () => AbortSignal;
}

/** Why a request gets no place; null: it has all that it needs. */
type Entry = Refusal | null;

/** The places that one request holds or waits for. */
export class Admission {
  readonly #parts: AdmissionParts;
  readonly #places: Place[] = [];
  #body: Place | null = null;
  #waiter: Waiter | null = null;
  #isOver = false;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  /** Counts the body as arriving; a refusal when too many are. */
  startBody(): Refusal | null {
    const { bodies, tenant } = this.#parts;
    if (this.#isOver) return busy;
    if (bodies === null) return null;
    const entry = bodies.enter(tenant());
    if (entry instanceof Refusal) return entry;
    // Nobody waits for these places.
    if ("release" in entry) this.#body = entry;
    return null;
  }

  /** The body is there. */
  endBody(): void {
    this.#body?.release();
    this.#body = null;
  }

  /** Takes the places of the handler, at once if there are any. */
  enter(): Eventually<Entry> {
    const { running, tenant } = this.#parts;
    return this.#isOver ? busy : this.#take(running, tenant());
  }

  /** The request is answered: it waits for nothing more. */
  end(): void {
    this.#isOver = true;
    this.#waiter?.leave();
    this.endBody();
  }

  /** The handler is done, with all that it streams. */
  release(): void {
    for (const place of this.#places.splice(0)) place.release();
  }

  #take(
    [first, ...others]: readonly Places[],
    tenant: string | null,
  ): Eventually<Entry> {
    if (first === undefined) return null;
    const hold = (place: Place | Refusal): Eventually<Entry> => {
      if (place instanceof Refusal) return place;
      this.#places.push(place);
      return this.#take(others, tenant);
    };
    const place = first.enter(tenant);
    return "outcome" in place ? this.#wait(place).then(hold) : hold(place);
  }

  async #wait(waiter: Waiter): Promise<Place | Refusal> {
    this.#waiter = waiter;
    const signal = this.#parts.signal();
    signal.addEventListener("abort", waiter.leave);
    if (signal.aborted) waiter.leave();
    const outcome = await waiter.outcome;
    signal.removeEventListener("abort", waiter.leave);
    this.#waiter = null;
    if (!this.#isOver || outcome instanceof Refusal) return outcome;
    outcome.release();
    return busy;
  }
}
