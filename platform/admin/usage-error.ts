/** The command cannot be run as it was given; the message says why. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
