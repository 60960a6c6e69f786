/** A violation of the contract that a server found in a request. */
export interface Violation {
  /** Property names and list indexes. */
  readonly path: readonly (string | number)[];
  /** E.g. `expected a string, got 7`. */
  readonly text: string;
}

const quoted = String.raw`"(?:[^"\\]|\\.)*"`;
const name = String.raw`[A-Za-z_$*][\w$]*`;
const index = String.raw`\[(?:\d+|${quoted})\]`;
// There must be only one way to match a text: anything can be in a response.
const violation = new RegExp(
  String.raw`(?:^|; )((?:${name}|${index})(?:\.${name}|${index})*): (expected (?:(?!, got ).)*, got (?:${quoted}|[^;"]*))(?=; |$)`,
  "gsu",
);
const keys = new RegExp(`${name}|${index}`, "gu");

/** Longer causes are cut, because anything can be in a response. */
const maxLength = 20_000;

/**
 * Reads the violations in the cause of an error, such as `user.name: expected a
 * string, got 7; ids[0]: expected an integer, got "x"`. Returns none for other
 * causes. Source: docs/wire.md.
 */
export function readViolations(cause: string): readonly Violation[] {
  const found = cause.slice(0, maxLength).matchAll(violation);
  return [...found].map(([, path = "", text = ""]) => ({
    path: [...path.matchAll(keys)].map(([key]) => readKey(key)),
    text,
  }));
}

function readKey(key: string): string | number {
  if (!key.startsWith("[")) return key;
  try {
    const inner: unknown = JSON.parse(key.slice(1, -1));
    return typeof inner === "number" ? inner : String(inner);
  } catch {
    // The server does not quote as JSON does.
    return key;
  }
}
