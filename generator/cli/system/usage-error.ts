/** The command line asks for something that makes no sense: exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** What to do instead; null when the message says it. */
  readonly help: string | null;

  constructor(message: string, help: string | null = null) {
    super(message);
    this.help = help;
  }
}
