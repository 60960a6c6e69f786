import { suggestHelp } from "../../generator/diagnostics/suggest.js";
import { ArgumentError } from "./tool-arguments.js";

/**
 * Returns the part of a JSON value at a path: a JSON Pointer, in which `*`
 * selects all items of a list. Of items that lack the rest of the path, the
 * part is null.
 *
 * Errors: an {@link ArgumentError} if there is no such part.
 */
export function selectPart(value: unknown, path: string): unknown {
  if (path !== "" && !path.startsWith("/")) {
    throw new ArgumentError("path: expected a `/` at the beginning");
  }
  const segments = path.split("/").slice(1);
  const part = selectSegments(value, segments);
  if (part === undefined) throw explainMissing(value, segments);
  return part;
}

/** Returns the part at a path, or undefined if there is none. */
function selectSegments(
  value: unknown,
  segments: readonly string[],
  from = 0,
): unknown {
  let part = value;
  for (let at = from; at < segments.length; at += 1) {
    const segment = segments[at] ?? "";
    if (Array.isArray(part) && segment === "*") {
      const parts = part.map((item) => selectSegments(item, segments, at + 1));
      // If the part is missing everywhere, its name is probably wrong.
      const isFound = parts.length === 0 || parts.some(isDefined);
      return isFound ? parts.map((each) => each ?? null) : undefined;
    }
    part = partOf(part, segment);
  }
  return part;
}

function partOf(value: unknown, segment: string): unknown {
  const part = isObject(value)
    ? Reflect.getOwnPropertyDescriptor(value, nameOf(segment))
    : undefined;
  // The length of a list is not enumerable.
  return part?.enumerable ? part.value : undefined;
}

function nameOf(segment: string): string {
  return segment.replaceAll("~1", "/").replaceAll("~0", "~");
}

function isDefined(value: unknown): boolean {
  return value !== undefined;
}

/** Returns the error for a path without a part. */
function explainMissing(
  value: unknown,
  segments: readonly string[],
): ArgumentError {
  let holder = value;
  let at = 0;
  for (;;) {
    const segment = segments[at] ?? "";
    // All items lack the part, so the first one is an example.
    const isAll = Array.isArray(holder) && segment === "*";
    const part = partOf(holder, isAll ? "0" : segment);
    at += 1;
    if (part === undefined) {
      const missing = `/${segments.slice(0, at).join("/")}`;
      const choices = describeChoices(holder, nameOf(segment));
      return new ArgumentError(`path: there is no ${missing}`, choices);
    }
    holder = part;
  }
}

/** Maximum number of parts that a text lists, and the length of their names. */
const maxListed = 20;
const maxName = 100;

/** Says which parts a value has instead of a missing one. */
function describeChoices(value: unknown, missing: string): string {
  if (Array.isArray(value)) {
    return value.length === 0
      ? "the list is empty"
      : `expected * or an index from 0 to ${value.length - 1}`;
  }
  if (!isObject(value)) return "the value before it has no parts";
  const { help } = suggestHelp(missing, Object.keys(value));
  return help ?? `the parts are ${namesIn(value).join(", ")}`;
}

/**
 * Describes the parts of a JSON value, e.g.
 * `/orders (a list of 500, 61000 characters)`.
 */
export function listParts(value: unknown, path: string): readonly string[] {
  // A list that a path with `*` selects does not have a path of its own.
  if (!isObject(value) || path.split("/").includes("*")) return [];
  if (Array.isArray(value)) {
    const [first] = value;
    const names = isObject(first) ? namesIn(first) : [];
    return [
      `${path}/0 to ${path}/${value.length - 1}`,
      ...names.map((name) => `${path}/*/${escapeSegment(name)}`),
    ];
  }
  return namesIn(value).map((name) => {
    const part: unknown = Reflect.get(value, name);
    const count = Array.isArray(part) ? `a list of ${part.length}, ` : "";
    const size = JSON.stringify(part).length;
    return `${path}/${escapeSegment(name)} (${count}${size} characters)`;
  });
}

function escapeSegment(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

function namesIn(value: object): readonly string[] {
  return Object.keys(value)
    .filter(({ length }) => length <= maxName)
    .slice(0, maxListed);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
