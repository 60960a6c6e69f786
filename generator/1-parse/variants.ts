import type { Span } from "../source/source.js";
import type { Metadata, Variant, Word } from "./ast.js";
import { Cursor } from "./cursor.js";
import { type LiteralText, splitLiterals } from "./literals.js";
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
  const variants: LiteralText[][] = [[]];
  for (const part of splitLiterals(value.text, "|,:")) {
    variants.at(-1)?.push(part);
    if (part.separator === "|") variants.push([]);
  }
  return variants.flatMap(
    (parts) => parseVariant(reporter, parts, inner.start) ?? [],
  );
}

/**
 * Reads the parts of a variant, such as `created:` and `Created`. `offset` is
 * the place of the whole value in the source.
 */
function parseVariant(
  reporter: Reporter,
  parts: readonly LiteralText[],
  offset: number,
): Variant | null {
  const { source, lines } = reporter;
  const spanOf = (first = parts[0], last = parts.at(-1)): Span => ({
    start: offset + (first?.start ?? 0),
    end: offset + (last?.end ?? 0),
  });
  const count = parts.findIndex(({ separator }) => separator === ":") + 1;
  const values = parts
    .slice(0, count)
    .map((part) => readValue(reporter, part, offset));
  if (values.includes(null)) return null;
  const [first] = parts.slice(count);
  if (first?.start === first?.end) {
    const message = "expected the type of a variant";
    reporter.error("invalid-variants", spanOf(first, first), message, {
      help: "write the variants as `Type|Type`",
    });
    return null;
  }
  const typed = spanOf(first);
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
  const words = values.flatMap((each) => each ?? []);
  return { span: spanOf(), values: words, type };
}

function readValue(
  reporter: Reporter,
  { end, isQuoted, isValid, start, text }: LiteralText,
  offset: number,
): Word | null {
  const span = { start: offset + start, end: offset + end };
  if (isValid) return { text, span, isQuoted };
  const message = "expected a value of the tag";
  reporter.error("invalid-variants", span, message, {
    help: "write `value:Type` or `value,value:Type`; a value that is empty or contains `|`, `:` or `,` is in single quotes",
  });
  return null;
}

function withoutQuotes({ start, end }: Span, text: string): Span {
  return text[start] === '"' && text[end - 1] === '"' && end - start > 1
    ? { start: start + 1, end: end - 1 }
    : { start, end };
}
