import { builtInErrors, RpcError } from "../../wire/errors.js";
import { SharedDeadline } from "./deadline.js";
import { Pace, type PaceLimits } from "./pace.js";

/**
 * Limits on the size of a request body, and on how long it may take to arrive.
 */
export interface BodyLimits extends PaceLimits {
  readonly maxBytes: number;
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
  return { maxBytes, timeoutMs, minRate, maxLeftMs: Infinity, deadline };
}

/** Monitors how fast a body arrives. */
export class BodyPace extends Pace {
  /** `onSlow` is called once, if the body takes too long. */
  constructor(limits: BodyLimits, onSlow: (error: RpcError) => void) {
    super(limits, () => onSlow(bodyTooSlow()));
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
