import { isFunction, memberOf } from "../../values/member.js";

/** How long handlers that start together may keep the event loop busy. */
const groupMs = 1;

const maxGroupSize = 64;

/**
 * Starts what waits in small groups, one in each turn of the event loop, so that
 * what arrives meanwhile is read between them. A group has as many members as
 * run in a millisecond, judged by the groups before.
 */
export class Pacer {
  readonly #startNext: () => boolean;
  #isPlanned = false;
  #turn = 0;
  #turnStart = 0;
  #groupStart = 0;
  #groupSize = 1;
  #startedCount = 0;

  /** `startNext` starts one; false: none is left that may start. */
  constructor(startNext: () => boolean) {
    this.#startNext = startNext;
  }

  /** Number of the current turn. */
  get turn(): number {
    this.plan();
    return this.#turn;
  }

  /** Whether the current turn has time to start something at once. */
  get hasTime(): boolean {
    this.plan();
    return performance.now() - this.#turnStart < groupMs;
  }

  /** Lets a group start at the end of this turn. */
  plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    this.#turn += 1;
    this.#turnStart = performance.now();
    // The group's work has run by the time the second callback is called.
    soon(() => this.#startGroup());
    soon(() => this.#endGroup());
  }

  #startGroup(): void {
    this.#isPlanned = false;
    this.#groupStart = performance.now();
    this.#startedCount = 0;
    while (this.#startedCount < this.#groupSize && this.#startNext()) {
      this.#startedCount += 1;
    }
  }

  #endGroup(): void {
    if (this.#startedCount === 0) return;
    const isFull = this.#startedCount === this.#groupSize;
    if (performance.now() - this.#groupStart > groupMs) {
      this.#groupSize = Math.ceil(this.#groupSize / 2);
    } else if (isFull) {
      this.#groupSize = Math.min(2 * this.#groupSize, maxGroupSize);
    }
    if (isFull) this.plan();
  }
}

/** Runs a callback after the events that have arrived. */
function soon(callback: () => void): void {
  // Not every runtime has `setImmediate` or its type. Timers replace it.
  const setImmediate = memberOf(globalThis, "setImmediate");
  if (isFunction(setImmediate)) setImmediate.call(globalThis, callback);
  else setTimeout(callback, 0);
}
