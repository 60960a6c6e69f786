/** Why there is no answer from outside. */
export type OutboundReason =
  /** The target is not to be asked: its scheme, or a private address. */
  | "refused"
  /** There is nobody, or what answers cannot be understood. */
  | "unreachable"
  /** The whole took too long. */
  | "timeout"
  /** The answer is larger than was asked for. */
  | "too-large";

/** There is no answer from outside; the message says why, without the URL. */
export class OutboundError extends Error {
  override readonly name = "OutboundError";
  readonly reason: OutboundReason;
  /** HTTP status, where it came as far as that. */
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
