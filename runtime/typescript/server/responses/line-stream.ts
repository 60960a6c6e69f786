import { byteLengthOf } from "../../values/utf8.js";
import {
  type ErrorDefinition,
  isRpcError,
  WebrpcClientDisconnectedError,
} from "../../wire/errors.js";
import type { BodyStream } from "../model/exchange.js";
import type { CallOutcome } from "./failed-answer.js";
import { maxTimerMs } from "../../values/timer.js";
import { type ItemSource, sourceOf, type Step } from "./item-source.js";
import { taken } from "./taking.js";
import type { StreamFormat } from "./stream-format.js";

// How long the response waits in ms. Later failures are reported in the stream.
const openMs = 100;

// Items that need no waiting are joined, because each piece costs more than an item.
const maxJoinedLength = 16 * 1024;

/** If a handler needs time for each. */
const maxJoinMs = 1;

/** The parts of a call that its stream uses. */
export interface LineStreamParts {
  readonly format: StreamFormat;
  readonly elements: AsyncIterator<unknown>;
  /** Called when the iterator has ended, which may be after `onEnd`. */
  readonly onStop: () => void;
  /** Maximum time without any data, in milliseconds. */
  readonly keepAliveMs: number;
  /** Aborts when the client no longer waits for the stream. */
  readonly signal: AbortSignal;
  /** Aborts `signal`. */
  readonly abort: (reason: unknown) => void;
  /** Prints an item as JSON on one line. Throws if it is invalid. */
  readonly print: (element: unknown) => string;
  /** Returns the response for a failure. Its body is sent at the end. */
  readonly fail: (error: unknown) => CallOutcome;
  /** Called once. The error is null if the stream ended normally. */
  readonly onEnd: (error: ErrorDefinition | null, byteLength: number) => void;
}

/**
 * Starts a stream of lines or events. It sends a keep-alive first and after
 * `keepAliveMs` without data, each item, and the error if the stream fails. Items
 * are requested after the previous ones have been sent. Those that need no waiting
 * are sent together.
 *
 * Errors: any error from the first item or from printing it, if nothing has
 * been sent yet; `WebrpcClientDisconnected` if the signal has aborted. In these
 * cases, `onEnd` is not called.
 */
export async function openLineStream(
  parts: LineStreamParts,
): Promise<BodyStream> {
  const { elements, format, onStop, print, signal } = parts;
  const { idle } = format;
  const source = sourceOf(elements, onStop);
  let leave = (): void => source.cancel();
  if (signal.aborted) leave();
  else signal.addEventListener("abort", () => leave(), { once: true });
  const open = (items: ItemSource | null, head: string): BodyStream => {
    const stream = new LineStream(parts, items, head);
    leave = () => stream.leave();
    return stream;
  };
  try {
    const first = await takeSoon(source);
    if (signal.aborted) throw new WebrpcClientDisconnectedError();
    if (first === null) return open(source, idle);
    if (first.done === true) return open(null, idle + format.end);
    return open(source, idle + format.item(print(first.value)));
  } catch (error) {
    source.cancel();
    throw error;
  }
}

/** Returns the first item, or null if there is none when the response begins. */
async function takeSoon(source: ItemSource): Promise<Step | null> {
  let isLate = false;
  let goOn = (): void => {};
  const timer = setTimeout(() => {
    isLate = true;
    goOn();
  }, openMs);
  try {
    return await taken((wake) => {
      goOn = wake;
      return isLate ? null : source.take(wake, false);
    });
  } finally {
    clearTimeout(timer);
  }
}

class LineStream implements BodyStream {
  readonly #parts: LineStreamParts;
  /** Null when there are no more items. */
  #source: ItemSource | null;
  /** The text to send next, to which items that need no waiting are added. */
  #head: string;
  /** When the text was asked for, on the clock of `performance.now()`, or 0. */
  #since = 0;
  /** Whether the source was asked for an item that it did not have yet. */
  #isAsked = false;
  /** Ends the wait for an item. Null unless nothing else is sent meanwhile. */
  #wake: (() => void) | null = null;
  /** Whether there was no item for too long. */
  #isIdle = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the timer fires. */
  #timerDue = Infinity;
  #error: ErrorDefinition | null = null;
  #isOver = false;
  #byteLength = 0;

  constructor(parts: LineStreamParts, source: ItemSource | null, head: string) {
    this.#parts = parts;
    this.#source = source;
    this.#head = head;
  }

  take(wake: () => void): string | null | undefined {
    const { format, print } = this.#parts;
    this.#since ||= performance.now();
    while (this.#source !== null && this.#head.length < maxJoinedLength) {
      const isBegun = this.#head !== "";
      // What was asked for in time is sent.
      const mayAsk = !isBegun || this.#isAsked || this.#hasTime();
      if (!mayAsk) break;
      try {
        const step = this.#source.take(wake, isBegun);
        this.#isAsked = step === undefined;
        if (step === null) break;
        if (step === undefined) {
          if (isBegun) return undefined;
          if (!this.#isIdle) return this.#wait(wake);
          this.#head = format.idle;
          break;
        }
        // Items can learn of it before this stream does.
        if (step.done === true && this.#parts.signal.aborted) this.leave();
        if (step.done === true) this.#source = null;
        this.#head += step.done ? format.end : format.item(print(step.value));
      } catch (error) {
        if (!this.#isOver) this.#head += this.#fail(error);
      }
    }
    return this.#send();
  }

  cancel(reason: Error = new WebrpcClientDisconnectedError()): void {
    if (!this.#isOver) this.#parts.abort(reason);
  }

  /** Ends the stream, because the client no longer waits for it. */
  leave(): void {
    this.#end(this.#error ?? reasonOf(this.#parts.signal));
    this.#source?.cancel();
  }

  #hasTime(): boolean {
    return performance.now() - this.#since <= maxJoinMs;
  }

  #send(): string | null {
    const piece = this.#head;
    if (this.#isOver || piece === "") return this.#end(this.#error);
    this.#head = "";
    this.#since = 0;
    this.#wake = null;
    this.#isIdle = false;
    this.#byteLength += byteLengthOf(piece);
    // A client that has the last piece can leave before anything asks for more.
    if (this.#source === null) this.#end(this.#error);
    return piece;
  }

  /** Many waits share a timer, because most items arrive before it fires. */
  #wait(wake: () => void): undefined {
    this.#wake = wake;
    if (this.#timerDue > this.#due) this.#arm(this.#parts.keepAliveMs);
  }

  /** When the stream has sent nothing for too long. */
  get #due(): number {
    const { keepAliveMs } = this.#parts;
    return keepAliveMs > maxTimerMs ? Infinity : this.#since + keepAliveMs;
  }

  #arm(ms: number): void {
    clearTimeout(this.#timer);
    this.#timerDue = this.#due;
    this.#timer = setTimeout(() => {
      this.#timerDue = Infinity;
      if (this.#wake === null) return;
      const leftMs = this.#due - performance.now();
      // Timers can fire a fraction of a millisecond early.
      if (leftMs > 1) return this.#arm(leftMs);
      this.#isIdle = true;
      this.#wake();
    }, ms);
  }

  /** Prints the error as the end of the stream. */
  #fail(error: unknown): string {
    this.#source?.cancel();
    this.#source = null;
    const answer = this.#parts.fail(error);
    this.#error = answer.error;
    return this.#parts.format.failure(answer.response);
  }

  #end(error: ErrorDefinition | null): null {
    if (this.#isOver) return null;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#parts.onEnd(error, this.#byteLength);
    return null;
  }
}

function reasonOf({ reason }: AbortSignal): ErrorDefinition {
  return isRpcError(reason) ? reason : new WebrpcClientDisconnectedError();
}
