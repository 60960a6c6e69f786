/** The reason why an outbound request failed. */
export type OutboundReason =
  /** The target is not allowed: its scheme, or a private address. */
  | "refused"
  /** The host does not answer, or its answer is invalid. */
  | "unreachable"
  /** The request as a whole took too long. */
  | "timeout"
  /** The answer is larger than allowed. */
  | "too-large";

/** An outbound request failed. The message gives the reason without the URL. */
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
