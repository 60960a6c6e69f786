/** Thrown for an invalid command line, which leads to exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** Advice on how to fix the error, or null if the message is enough. */
  readonly help: string | null;

  constructor(message: string, help: string | null = null) {
    super(message);
    this.help = help;
  }
}
