import { byteLengthOf } from "../../values/utf8.js";
import {
  type ErrorDefinition,
  isRpcError,
  WebrpcClientDisconnectedError,
} from "../../wire/errors.js";
import type { BodyStream } from "../model/exchange.js";
import type { CallOutcome } from "./failed-answer.js";
import { PacedSource } from "./paced-source.js";
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
  const source = new PacedSource(elements, onStop);
  const cancel = (): void => source.cancel();
  if (signal.aborted) cancel();
  else signal.addEventListener("abort", cancel, { once: true });
  try {
    const first = await source.next(openMs);
    if (signal.aborted) throw new WebrpcClientDisconnectedError();
    if (first === null) return new LineStream(parts, source, idle);
    if (first.done === true)
      return new LineStream(parts, null, idle + format.end);
    const head = idle + format.item(print(first.value));
    return new LineStream(parts, source, head);
  } catch (error) {
    cancel();
    throw error;
  }
}

class LineStream implements BodyStream {
  readonly #parts: LineStreamParts;
  /** Null when there are no more items. */
  #source: PacedSource<unknown> | null;
  /** The first text to send. Empty once it has been sent. */
  #head: string;
  #error: ErrorDefinition | null = null;
  #isOver = false;
  #byteLength = 0;

  constructor(
    parts: LineStreamParts,
    source: PacedSource<unknown> | null,
    head: string,
  ) {
    this.#parts = parts;
    this.#source = source;
    this.#head = head;
    const leave = (): void => {
      this.#end(this.#error ?? reasonOf(parts.signal));
    };
    parts.signal.addEventListener("abort", leave, { once: true });
  }

  async next(): Promise<string | null> {
    const { format, keepAliveMs, print } = this.#parts;
    const since = performance.now();
    let piece = this.#head;
    this.#head = "";
    while (this.#source !== null && piece.length < maxJoinedLength) {
      const isBegun = piece !== "";
      if (isBegun && performance.now() - since > maxJoinMs) break;
      try {
        const step = await (isBegun
          ? this.#source.nextReady()
          : this.#source.next(keepAliveMs));
        if (step === null) {
          piece ||= format.idle;
          break;
        }
        if (step.done === true) this.#source = null;
        piece += step.done ? format.end : format.item(print(step.value));
      } catch (error) {
        if (!this.#isOver) piece += this.#fail(error);
      }
    }
    if (this.#isOver || piece === "") return this.#end(this.#error);
    this.#byteLength += byteLengthOf(piece);
    // A client that has the last piece can leave before anything asks for more.
    if (this.#source === null) this.#end(this.#error);
    return piece;
  }

  cancel(reason: Error = new WebrpcClientDisconnectedError()): void {
    if (!this.#isOver) this.#parts.abort(reason);
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
    this.#parts.onEnd(error, this.#byteLength);
    return null;
  }
}

function reasonOf({ reason }: AbortSignal): ErrorDefinition {
  return isRpcError(reason) ? reason : new WebrpcClientDisconnectedError();
}
