import { suggestHelp } from "../../diagnostics/suggest.js";
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
  return selectSegment(value, segments, 0);
}

function selectSegment(
  value: unknown,
  segments: readonly string[],
  at: number,
): unknown {
  const segment = segments[at];
  if (segment === undefined) return value;
  if (Array.isArray(value) && segment === "*") {
    return selectFromAll(value, segments, at + 1);
  }
  const name = segment.replaceAll("~1", "/").replaceAll("~0", "~");
  const found = isObject(value)
    ? Reflect.getOwnPropertyDescriptor(value, name)
    : undefined;
  // The length of a list is not enumerable.
  if (found?.enumerable) return selectSegment(found.value, segments, at + 1);
  const whole = `/${segments.slice(0, at + 1).join("/")}`;
  throw new ArgumentError(
    `path: there is no ${whole}`,
    describeChoices(value, name),
  );
}

function selectFromAll(
  items: readonly unknown[],
  segments: readonly string[],
  at: number,
): readonly unknown[] {
  const errors: unknown[] = [];
  const parts = items.map((item) => {
    try {
      return selectSegment(item, segments, at);
    } catch (error) {
      errors.push(error);
      return null;
    }
  });
  // If the part is missing everywhere, its name is probably wrong.
  if (errors.length > 0 && errors.length === items.length) throw errors[0];
  return parts;
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
