import type { Span } from "../source/source.js";
import type { Metadata, Variant, Word } from "./ast.js";
import { Cursor } from "./cursor.js";
import type { Reporter } from "./reporter.js";
import { parseType } from "./type-expression.js";

/** Adds the variants of a union to its `+ oneOf` line. */
export function withVariants(reporter: Reporter, entry: Metadata): Metadata {
  return entry.key.text === "oneOf"
    ? { ...entry, variants: parseVariants(reporter, entry.value) }
    : entry;
}

/**
 * Reads the variants in a value such as `Created|Deleted` or
 * `created:Created|failed:Failed`. Invalid variants are reported and omitted.
 */
function parseVariants(reporter: Reporter, value: Word): readonly Variant[] {
  const { source } = reporter;
  const inner = withoutQuotes(value.span, source.text);
  if (source.text.slice(inner.start, inner.end) !== value.text) {
    const message = "the variants of a union must be plain text";
    reporter.error("invalid-variants", value.span, message, {
      help: "write them on one line, without escapes",
    });
    return [];
  }
  return splitAt(source.text, inner, "|").flatMap(
    (part) => parseVariant(reporter, part) ?? [],
  );
}

function parseVariant(reporter: Reporter, part: Span): Variant | null {
  const { source, lines } = reporter;
  const [before, after] = splitAt(source.text, part, ":");
  const [values, typed] =
    before !== undefined && after !== undefined
      ? [splitAt(source.text, before, ",").map(readValue), after]
      : [[], part];
  if (values.includes(null)) return null;
  if (typed.start === typed.end) {
    const message = "expected the type of a variant";
    reporter.error("invalid-variants", typed, message, {
      help: "write the variants as `Type|Type`",
    });
    return null;
  }
  const cursor = new Cursor(source, typed, lines);
  const type = parseType(cursor);
  reporter.diagnostics.push(...cursor.diagnostics);
  if (type === null) return null;
  if (type.span.end < typed.end) {
    const rest = { start: type.span.end, end: typed.end };
    const message = "unexpected text after the type of a variant";
    reporter.error("invalid-variants", rest, message, {
      help: "separate variants by `|`",
    });
    return null;
  }
  return { span: part, values: values.flatMap((each) => each ?? []), type };

  function readValue(span: Span): Word | null {
    const text = source.text.slice(span.start, span.end);
    const quoted = /^'((?:[^']|'')*)'$/u.exec(text)?.[1];
    if (quoted !== undefined) {
      return { text: quoted.replaceAll("''", "'"), span, isQuoted: true };
    }
    if (text !== "" && !text.startsWith("'")) {
      return { text, span, isQuoted: false };
    }
    const message = "expected a value of the tag";
    reporter.error("invalid-variants", span, message, {
      help: "write `value:Type` or `value,value:Type`; a value that is empty or contains `|`, `:` or `,` is in single quotes",
    });
    return null;
  }
}

/**
 * Splits text at a separator outside of single quotes, and removes white space
 * around the parts.
 */
function splitAt(text: string, span: Span, separator: string): readonly Span[] {
  const parts: Span[] = [];
  let isQuoted = false;
  let isBeginning = true;
  let { start } = span;
  for (let at = start; at < span.end; at += 1) {
    const character = text[at] ?? "";
    // A quote within a word is part of it.
    if (character === "'" && (isQuoted || isBeginning)) isQuoted = !isQuoted;
    if (character.trim() !== "") isBeginning = "|:,'".includes(character);
    if (isQuoted || character !== separator) continue;
    parts.push(trim(text, { start, end: at }));
    start = at + 1;
  }
  return [...parts, trim(text, { start, end: span.end })];
}

function trim(text: string, { start, end }: Span): Span {
  const part = text.slice(start, end);
  const first = start + part.length - part.trimStart().length;
  return { start: first, end: first + part.trim().length };
}

function withoutQuotes({ start, end }: Span, text: string): Span {
  return text[start] === '"' && text[end - 1] === '"' && end - start > 1
    ? { start: start + 1, end: end - 1 }
    : { start, end };
}
