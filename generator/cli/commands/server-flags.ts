import { UsageError } from "../system/usage-error.js";

/** Flags of commands that call running servers. */
export interface ServerFlags {
  /** E.g. `X-Tenant: a`. */
  readonly header: readonly string[];
  /** E.g. `shop=https://shop.example.com`. */
  readonly address: readonly string[];
  /** E.g. `network=polygon`. */
  readonly parameter: readonly string[];
}

/**
 * Names and values of a flag that may be repeated.
 * Input: e.g. `["a=b"]`. Output: e.g. `[["a", "b"]]`; values of headers may be
 * empty. Errors: a {@link UsageError} for anything else.
 */
export function readPairs(
  flag: string,
  texts: readonly string[],
  separator: ":" | "=" = "=",
): readonly [string, string][] {
  return texts.map((text) => {
    const at = text.indexOf(separator);
    const name = text.slice(0, Math.max(at, 0)).trim();
    const value = text.slice(at + 1).trim();
    if (name !== "" && (value !== "" || separator === ":")) {
      return [name, value];
    }
    throw new UsageError(
      `\`${flag} ${text}\` is not a name and a value`,
      `write \`${flag} ${separator === "=" ? "name=value" : '"name: value"'}\``,
    );
  });
}

/** Errors: a {@link UsageError}, without the value, which may be secret. */
export function checkHeader(source: string, name: string, value: string): void {
  try {
    new Headers([[name, value]]);
  } catch {
    throw new UsageError(
      `\`${source}\` cannot be sent as a header`,
      "a name has no spaces, and a value is one line of Latin-1 text",
    );
  }
}
