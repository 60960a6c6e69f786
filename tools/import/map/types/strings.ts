import { isHarmless } from "../../../../generator/pattern/time/analyze-pattern.js";
import { patternFormats, readPattern } from "./scalar-types.js";
import type { SchemaView } from "./schema-view.js";
import type { Types } from "./types.js";

/** Metadata that limits nothing. */
const free: ReadonlySet<string> = new Set(["known", "title", "example"]);

/**
 * Returns whether the values of a type are all strings, or some of them. Returns
 * null for types with other values.
 */
export function stringsOf(type: string, types: Types): "all" | "some" | null {
  let isLimited = false;
  let name = type;
  // A chain of aliases cannot be longer.
  for (let left = types.types.length; left >= 0; left--) {
    if (name === "string") return isLimited ? "some" : "all";
    if (name === "timestamp") return "some";
    const body = types.find(name)?.body;
    if (body?.kind === "enum") return "some";
    if (body?.kind !== "alias") return null;
    if (body.metadata.some(({ key }) => key === "nullable")) return null;
    isLimited ||= body.metadata.some(({ key }) => !free.has(key));
    name = body.type;
  }
  return null;
}

/** Removes the types of some strings if another type has all strings. */
export function joinStrings(
  names: readonly string[],
  types: Types,
): readonly string[] {
  const all = names.find((name) => stringsOf(name, types) === "all");
  return all === undefined
    ? names
    : names.filter((name) => name === all || stringsOf(name, types) === null);
}

/** Keywords with values that are not in a pattern. */
const others = "minLength maxLength contentEncoding not".split(" ");

/**
 * Returns a pattern of the values of several schemas of strings: those that they
 * list, and those of their patterns. Returns null if a schema has other limits,
 * or none.
 */
export function joinPatterns(views: readonly SchemaView[]): string | null {
  const patterns = views.map((view) => {
    const listed = view.get("const") ?? view.get("enum");
    const format = view.get("format")?.text ?? "";
    const written = view.get("pattern")?.text;
    const isOther = ["date-time", "byte"].includes(format);
    if (isOther || others.some((key) => view.get(key) !== null)) return null;
    if (listed === null) {
      return written === undefined || written === null
        ? (patternFormats.get(format)?.pattern ?? null)
        : readPattern(written);
    }
    if (written !== undefined) return null;
    const parts = listed.node.kind === "list" ? listed.items() : [listed];
    const texts = parts.flatMap(({ text }) => text ?? []);
    return texts.map((text) => `^${escapePattern(text)}$`).join("|");
  });
  if (!patterns.every((pattern) => pattern !== null)) return null;
  // References to groups would have other numbers.
  const isJoinable = !patterns.some((pattern) => /\\[1-9k]/u.test(pattern));
  const joined = isJoinable ? readPattern(patterns.join("|")) : null;
  return joined !== null && isHarmless(joined, Infinity) ? joined : null;
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/gu, "\\$&");
}
