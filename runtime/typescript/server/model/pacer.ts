import { isFunction, memberOf } from "../../values/member.js";

/**
 * How long handlers that start together may occupy the event loop, in
 * milliseconds.
 */
const groupMs = 1;

const maxGroupSize = 64;

/**
 * Starts queued work in small groups, one per turn of the event loop, so that
 * new events are processed between groups. Each group is sized to take about a
 * millisecond, estimated from previous groups.
 */
export class Pacer {
  readonly #startNext: () => boolean;
  #isPlanned = false;
  #turn = 0;
  #turnStart = 0;
  #groupStart = 0;
  #groupSize = 1;
  #startedCount = 0;

  /** `startNext` starts one item. It returns false if none can start. */
  constructor(startNext: () => boolean) {
    this.#startNext = startNext;
  }

  /** Number of the current turn. */
  get turn(): number {
    this.plan();
    return this.#turn;
  }

  /** Whether the current turn has time to start something immediately. */
  get hasTime(): boolean {
    this.plan();
    return performance.now() - this.#turnStart < groupMs;
  }

  /** Starts a group at the end of this turn. */
  plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    this.#turn += 1;
    this.#turnStart = performance.now();
    // When the second callback runs, the group's work has finished.
    afterPendingEvents(() => this.#startGroup());
    afterPendingEvents(() => this.#endGroup());
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

/** Runs a callback after the events that have already arrived. */
export function afterPendingEvents(callback: () => void): void {
  // Not every runtime has `setImmediate`, so fall back to timers.
  const setImmediate = memberOf(globalThis, "setImmediate");
  if (isFunction(setImmediate)) setImmediate.call(globalThis, callback);
  else setTimeout(callback, 0);
}
