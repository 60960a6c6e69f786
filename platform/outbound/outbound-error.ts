/** The reason why an outbound request failed. */
export type OutboundReason =
  /** The target is not an allowed URL, or its address is private. */
  | "refused"
  /** The host does not respond, or its response is invalid. */
  | "unreachable"
  /** The request as a whole took too long. */
  | "timeout"
  /** The response is larger than allowed. */
  | "too-large";

/**
 * Thrown if an outbound request fails. The message gives the reason without the
 * URL.
 */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  readonly reason: OutboundReason;
  /** The HTTP status, if a response was received. */
  readonly status: number | null;

  constructor(
    reason: OutboundReason,
    message: string,
    status: number | null = null,
  ) {
    super(message);
    this.reason = reason;
    this.status = status;
  }
}
