import {
  type ErrorDefinition,
  WebrpcClientDisconnectedError,
} from "../../wire/errors.js";
import type { BodyStream } from "../model/exchange.js";
import type { Answer } from "./failed-answer.js";
import { PacedSource } from "./paced-source.js";

/**
 * How long the answer waits for a stream to begin. What fails in that time is an
 * ordinary answer with a status of its own; later failures are in the stream.
 */
const openMs = 100;

const utf8 = /* @__PURE__ */ new TextEncoder();

/** What a stream needs of the call that it answers. */
export interface LineStreamParts {
  readonly elements: AsyncIterator<unknown>;
  /** How long there may be silence on the wire. */
  readonly keepAliveMs: number;
  /** Aborts when nobody waits for the stream any more. */
  readonly signal: AbortSignal;
  /** Aborts `signal`. */
  readonly abort: (reason: unknown) => void;
  /** An element as JSON on one line. Errors: when it does not fit. */
  readonly print: (element: unknown) => string;
  /** What a failure would be answered with if nothing had been sent. */
  readonly fail: (error: unknown) => Answer;
  /** Called once; null: the stream came to its end. */
  readonly onEnd: (error: ErrorDefinition | null, byteLength: number) => void;
}

/**
 * Begins a stream of lines: an empty one at once, one for each element, an empty
 * one whenever nothing has been said for `keepAliveMs`, and one with the error
 * if it fails. Takes no element before the last one has been sent.
 *
 * Errors: those of the elements when they fail before anything is sent; then
 * `onEnd` is not called.
 */
export async function openLineStream(
  parts: LineStreamParts,
): Promise<BodyStream> {
  const { elements, print, signal } = parts;
  const source = new PacedSource(elements);
  const cancel = (): void => source.cancel();
  if (signal.aborted) cancel();
  else signal.addEventListener("abort", cancel, { once: true });
  try {
    const first = await source.next(openMs);
    if (signal.aborted) throw new WebrpcClientDisconnectedError();
    if (first === null) return new LineStream(parts, source, "\n");
    if (first.done === true) return new LineStream(parts, null, "\n");
    return new LineStream(parts, source, `\n${print(first.value)}\n`);
  } catch (error) {
    cancel();
    throw error;
  }
}

class LineStream implements BodyStream {
  readonly #parts: LineStreamParts;
  /** Null when there are no more elements. */
  #source: PacedSource<unknown> | null;
  /** What is sent first; "" once it has been. */
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
      this.#end(this.#error ?? new WebrpcClientDisconnectedError());
    };
    parts.signal.addEventListener("abort", leave, { once: true });
  }

  async next(): Promise<string | null> {
    const piece = await this.#piece();
    if (this.#isOver || piece === null) return this.#end(this.#error);
    this.#byteLength += utf8.encode(piece).byteLength;
    return piece;
  }

  cancel(): void {
    if (!this.#isOver) this.#parts.abort(new WebrpcClientDisconnectedError());
  }

  async #piece(): Promise<string | null> {
    const head = this.#head;
    this.#head = "";
    if (head !== "" || this.#source === null) return head || null;
    const { keepAliveMs, print } = this.#parts;
    try {
      const step = await this.#source.next(keepAliveMs);
      if (step === null) return "\n";
      return step.done === true ? null : `${print(step.value)}\n`;
    } catch (error) {
      return this.#isOver ? null : this.#fail(error);
    }
  }

  /** The line of the error; it is the last one. */
  #fail(error: unknown): string {
    this.#source?.cancel();
    this.#source = null;
    const answer = this.#parts.fail(error);
    this.#error = answer.error;
    return `{"webrpcError":${answer.response.body}}\n`;
  }

  #end(error: ErrorDefinition | null): null {
    if (this.#isOver) return null;
    this.#isOver = true;
    this.#parts.onEnd(error, this.#byteLength);
    return null;
  }
}
