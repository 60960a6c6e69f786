import { suggestHelp } from "../../generator/diagnostics/suggest.js";

/** The reason why a call is not sent. */
export class CallFault extends Error {
  override readonly name = "CallFault";
  /** Advice on how to fix the call, or null if the message is enough. */
  readonly help: string | null;

  constructor(message: string, help: string | null = null) {
    super(message);
    this.help = help;
  }
}

/** Maximum number of names that an error lists. */
const maxNames = 10;

/** Suggests the closest name, or lists the first names if none is close. */
export function helpWithName(
  name: string,
  known: readonly string[],
  what: string,
): string | null {
  const close = suggestHelp(name, known).help;
  if (close !== undefined || known.length === 0) return close ?? null;
  const shown = known.slice(0, maxNames).map((each) => `\`${each}\``);
  const others = known.length - shown.length;
  return `${what}: ${shown.join(", ")}${others > 0 ? ` and ${others} more` : ""}`;
}
