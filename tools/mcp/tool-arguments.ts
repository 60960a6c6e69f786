import { suggestHelp } from "../../generator/diagnostics/suggest.js";

/** Thrown if an argument is invalid. */
export class ArgumentError extends Error {
  override readonly name = "ArgumentError";

  /** Input: what is wrong, e.g. `offset: expected an integer`, and the fix. */
  constructor(reason: string, help?: string) {
    super(help === undefined ? reason : `${reason}; ${help}`);
  }
}

/** Maximum number of characters of an invalid value in a message. */
const maxShown = 60;

/**
 * Reads the arguments of a tool of `ridl mcp` itself. The arguments of methods
 * are validated by generated code.
 *
 * Errors: an {@link ArgumentError} for an argument that is unknown, missing or
 * has another type.
 */
export class ToolArguments {
  readonly #given: Readonly<Record<string, unknown>>;

  constructor(
    given: Readonly<Record<string, unknown>>,
    names: readonly string[],
  ) {
    for (const name of Object.keys(given)) {
      if (names.includes(name)) continue;
      const { help = `the arguments are ${names.join(", ")}` } = suggestHelp(
        name,
        names,
      );
      throw new ArgumentError(`${name}: there is no such argument`, help);
    }
    this.#given = given;
  }

  /** Returns a text. Without a default, the argument is required. */
  text(name: string, byDefault?: string): string {
    const value = this.#given[name] ?? byDefault;
    if (typeof value === "string") return value;
    throw this.#unexpected(name, "a text");
  }

  /** Returns an integer. Without a default, the argument is required. */
  integer(name: string, byDefault?: number): number {
    const value = this.#given[name] ?? byDefault;
    const isValid = typeof value === "number" && Number.isSafeInteger(value);
    if (isValid && value >= 0) return value;
    throw this.#unexpected(name, "an integer of at least 0");
  }

  /** Returns an object, which is empty by default. */
  object(name: string): Record<string, unknown> {
    const value = this.#given[name] ?? {};
    if (typeof value === "object" && !Array.isArray(value)) return { ...value };
    throw this.#unexpected(name, "an object");
  }

  #unexpected(name: string, expected: string): ArgumentError {
    const text = JSON.stringify(this.#given[name]) ?? "nothing";
    const shown = text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
    return new ArgumentError(`${name}: expected ${expected}, got ${shown}`);
  }
}
