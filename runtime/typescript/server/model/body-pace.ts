import {
  builtInErrors,
  RpcError,
  WebrpcRequestFailedError,
} from "../../wire/errors.js";
import { SharedDeadline } from "./deadline.js";
import { Pace, type PaceLimits, positive } from "./pace.js";

/**
 * Limits on the size of a request body, and on how long it may take to arrive.
 */
export interface BodyLimits extends PaceLimits {
  readonly maxBytes: number;
  /** Counts the bytes in memory. Default: they are not limited. */
  readonly held?: HeldBytes | undefined;
}

/** The limits of the requests of a method. */
export interface RequestLimits {
  readonly body: BodyLimits;
  /** The limits of bodies with files. */
  readonly upload: BodyLimits;
  readonly maxDepth: number;
}

/**
 * Returns the limits for bodies. Default: a timeout of 10 seconds, and a
 * minimum rate of 500 bytes per second.
 */
export function createBodyLimits(
  maxBytes: number,
  timeoutMs = 10_000,
  minRate = 500,
): BodyLimits {
  const deadline = new SharedDeadline(timeoutMs);
  return {
    maxBytes,
    timeoutMs,
    minRate: positive(minRate),
    maxLeftMs: Infinity,
    deadline,
  };
}

/** Monitors how fast a body arrives, and whether there is memory for it. */
export class BodyPace extends Pace {
  readonly #held: HeldBytes | undefined;
  readonly #maxBytes: number;
  readonly #fail: (error: RpcError) => void;

  /** `fail` is called if the body takes too long, or too much memory. */
  constructor(limits: BodyLimits, fail: (error: RpcError) => void) {
    super(limits, () => fail(bodyTooSlow()));
    this.#held = limits.held;
    this.#maxBytes = limits.maxBytes;
    this.#fail = fail;
  }

  override add(byteLength: number): void {
    super.add(byteLength);
    const isFull = this.#held?.add(byteLength, this.#maxBytes) === false;
    // The server replaces this error by one for load, which has headers.
    if (isFull) this.#fail(new WebrpcRequestFailedError());
  }
}

/**
 * Creates the error for a body that arrived too slowly: `WebrpcRequestFailed`
 * with 408.
 */
function bodyTooSlow(): RpcError {
  const definition = { ...builtInErrors.WebrpcRequestFailed, status: 408 };
  return new RpcError(definition, { cause: "the body arrived too slowly" });
}

/**
 * Limits how many bytes of request bodies are in memory: as many as the largest
 * bodies of `count` requests have. Slots alone would not limit them, because a
 * request only needs a slot once its body has arrived.
 */
export class Memory {
  readonly #count: number;
  #maxBytes = 0;
  #bytes = 0;

  constructor(count: number) {
    this.#count = count;
  }

  /** Makes room for the bodies of a method. */
  fit(maxBytes: number): void {
    this.#maxBytes = Math.max(this.#maxBytes, maxBytes * this.#count);
  }

  /** Counts bytes. Returns whether there is memory for them. */
  take(bytes: number): boolean {
    this.#bytes += bytes;
    return this.#bytes <= this.#maxBytes;
  }

  free(bytes: number): void {
    this.#bytes -= bytes;
  }
}

/** The bytes of one request that are in memory. */
export class HeldBytes {
  /** Whether there was no memory for more. */
  isFull = false;
  readonly #memory: Memory;
  #bytes = 0;
  #isOver = false;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /**
   * Counts bytes, up to the maximum size of the body, because a larger one is
   * refused as too large. Returns whether there is memory for them.
   */
  add(bytes: number, maxBytes: number): boolean {
    if (this.#isOver) return true;
    const counted = Math.min(bytes, maxBytes - this.#bytes);
    this.#bytes += counted;
    this.isFull = !this.#memory.take(counted);
    return !this.isFull;
  }

  /** Stops counting, because a handler reads the rest piece by piece. */
  pass(): void {
    this.#isOver = true;
  }

  /** Called when the request is over. */
  free(): void {
    this.#isOver = true;
    this.#memory.free(this.#bytes);
    this.#bytes = 0;
  }
}
