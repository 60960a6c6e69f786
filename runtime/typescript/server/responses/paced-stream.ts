import { WebrpcClientDisconnectedError } from "../../wire/errors.js";
import type { BodyStream, Piece } from "../model/exchange.js";
import { Pace, type PaceLimits } from "../model/pace.js";
import { afterPendingEvents } from "../model/pacer.js";

/**
 * Maximum length in bytes of what is handed to the client at once. Longer
 * pieces would hide whether the client takes them.
 */
export const maxPieceBytes: number = 64 * 1024;

// Limits of a turn. Sending the bytes takes about 20 ms. Small pieces cost as much
// as some bytes. Bodies that wait for their turn keep their texts in memory, and
// everything from which these were made.
const maxSourceMs = 1;
const maxBytes = 24 * 1024 * 1024;
const minPieceBytes = 16 * 1024;

/** What bodies have spent in this turn. */
const spent = { turn: 0, isPlanned: false, ms: 0, bytes: 0 };

function endTurn(): void {
  spent.turn += 1;
  spent.isPlanned = false;
  spent.ms = 0;
  spent.bytes = 0;
}

/**
 * A body that ends if the client takes it too slowly. The time before each call of
 * `take` is the time that the client needs. That includes the first call, because
 * middleware can drop a response, which nothing reads then. Other events are
 * processed between pieces that take time, and after many others.
 */
export class PacedStream implements BodyStream {
  onSlow: () => void = () => {};
  readonly #source: BodyStream;
  readonly #pace: Pace;
  readonly #onTake: () => void;
  /** The rest of a long piece. */
  #rest: Piece | null = null;
  /** Length of the piece that the client is taking. */
  #sentBytes = 0;
  /** The turn of the last piece. */
  #turn = -1;
  /** When the source was asked for a piece that it did not have yet, or 0. */
  #since = 0;
  #error: Error | null = null;
  #isCancelled = false;

  /** `onTake` is called whenever the client is ready for more. */
  constructor(
    source: BodyStream,
    limits: PaceLimits,
    onTake: () => void = () => {},
  ) {
    this.#source = source;
    this.#onTake = onTake;
    this.#pace = new Pace(limits, () => this.#end());
    this.#pace.start();
  }

  take(wake: () => void): Piece | null | undefined {
    if (this.#since === 0) {
      this.#pace.stop();
      this.#pace.add(this.#sentBytes);
      this.#sentBytes = 0;
      if (this.#isTurnOver()) {
        afterPendingEvents(() => {
          // Some hosts drop timers.
          if (this.#isTurnOver()) endTurn();
          wake();
        });
        return undefined;
      }
      this.#startPiece();
      this.#onTake();
      this.#since = performance.now();
    }
    const piece = this.#rest ?? this.#source.take(wake);
    if (this.#error !== null) throw this.#error;
    if (piece === undefined) return undefined;
    const isSameTurn = this.#turn === spent.turn;
    if (isSameTurn) spent.ms += performance.now() - this.#since;
    this.#since = 0;
    const sent = piece === null ? null : this.#cut(piece);
    if (isSameTurn) {
      spent.bytes += Math.max(sent?.length ?? 0, minPieceBytes);
    }
    if (sent === null) return null;
    this.#sentBytes = sent.length;
    if (!this.#isCancelled) this.#pace.start();
    return sent;
  }

  cancel(reason?: Error): void {
    this.#isCancelled = true;
    this.#pace.stop();
    this.#source.cancel(reason);
  }

  /** Otherwise, a source that never waits would hold up all requests. */
  #isTurnOver(): boolean {
    if (this.#turn !== spent.turn) return false;
    return spent.ms > maxSourceMs || spent.bytes >= maxBytes;
  }

  #startPiece(): void {
    if (!spent.isPlanned) afterPendingEvents(endTurn);
    spent.isPlanned = true;
    this.#turn = spent.turn;
  }

  /**
   * Texts are cut before they are encoded, because the bytes of a long one would
   * need as much memory again.
   */
  #cut(piece: Piece): Piece {
    const isText = typeof piece === "string";
    const end = isText ? endOfPiece(piece) : maxPieceBytes;
    this.#rest = null;
    if (piece.length <= end) return piece;
    this.#rest = isText ? piece.slice(end) : piece.subarray(end);
    return isText ? piece.slice(0, end) : piece.subarray(0, end);
  }

  /** Ends the response, because the client takes it too slowly. */
  #end(): void {
    const cause = "the client took the response too slowly";
    this.#error = new WebrpcClientDisconnectedError({ cause });
    this.#source.cancel(this.#error);
    this.onSlow();
  }
}

/** A character is at most three bytes long. */
const maxPieceLength = Math.floor(maxPieceBytes / 3);

/** Returns where the first piece of a text ends: never within a character. */
function endOfPiece(text: string): number {
  const isWithin = (text.codePointAt(maxPieceLength - 1) ?? 0) > 0xffff;
  return isWithin ? maxPieceLength - 1 : maxPieceLength;
}
