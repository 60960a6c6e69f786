/** One violation of the contract in a message. */
export interface Failure {
  /** Property names and list indexes. An empty list means the whole message. */
  readonly path: readonly (string | number)[];
  /** A description of valid values, e.g. `an unsigned integer`. */
  readonly expected: string;
  /** A short form of the actual value, e.g. `"abc"` or `a list of 3`. */
  readonly got: string;
}

/** Maximum number of code points of a string that a failure shows. */
const maxShown = 40;

/**
 * Formats failures as one line of text.
 *
 * Example: `input[0].orderId: expected a string, got 7; page: expected an
 * object, got nothing`.
 */
export function printFailures(failures: readonly Failure[]): string {
  let text = "";
  for (const { path, expected, got } of failures) {
    const place = path.length === 0 ? "" : `${printPath(path)}: `;
    text += `${text === "" ? "" : "; "}${place}expected ${expected}, got ${got}`;
  }
  return text;
}

function printPath(path: readonly (string | number)[]): string {
  let text = "";
  for (const key of path) {
    if (typeof key === "number") text += `[${key}]`;
    else if (!/^[A-Za-z_$*][\w$]{0,63}$/.test(key)) text += `[${quote(key)}]`;
    else text += text === "" ? key : `.${key}`;
  }
  return text;
}

/**
 * Converts a path to a JSON Pointer (RFC 6901).
 *
 * Example: `/input/0/orderId`. `~` and `/` in names become `~0` and `~1`.
 */
export function toPointer(path: readonly (string | number)[]): string {
  return path
    .map((key) => String(key).replaceAll("~", "~0").replaceAll("/", "~1"))
    .map((key) => `/${key}`)
    .join("");
}

/** Describes a value briefly. */
export function renderGot(value: unknown): string {
  if (value === undefined) return "nothing";
  if (typeof value === "string") return quote(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === "object" && value !== null) {
    const tag = Object.prototype.toString.call(value).slice(8, -1);
    return tag === "Object" ? "an object" : `an object (${crop(tag)})`;
  }
  if (typeof value === "function") return "a function";
  // A large number may have been rounded when it was read.
  const isExact = !Number.isInteger(value) || Number.isSafeInteger(value);
  return (isExact ? "" : "about ") + crop(String(value));
}

/** Quotes and escapes a string, so that it stays on one line. */
function quote(text: string): string {
  // JSON does not escape these two line breaks.
  return JSON.stringify(crop(text))
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}

function crop(text: string): string {
  // Convert only a prefix to code points, because the string may be long.
  const points = Array.from(text.slice(0, 2 * maxShown + 2));
  if (points.length <= maxShown) return text;
  return `${points.slice(0, maxShown).join("")}…`;
}
