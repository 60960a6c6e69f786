import type { ts } from "ts-morph";
import type { Compiler } from "../../implement/compiler.js";
import {
  type FileStyle,
  indentAt,
  maxWidth,
} from "../../implement/file-style.js";
import type { Arguments } from "./arguments.js";
import type { Property, Slice } from "./properties.js";
import { UnsupportedCode } from "./unsupported-code.js";

/** What surrounds new code. */
export interface Surroundings {
  readonly compiler: Compiler;
  readonly style: FileStyle;
  readonly slice: Slice;
}

/** A property as text, with the comments around it. */
interface Line {
  readonly text: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/**
 * Prints a call in place of an old one: the callee, then one or two objects, and
 * around it `wrap` with further arguments.
 *
 * Errors: {@link UnsupportedCode} if a comment of the old call has no place.
 */
export function printCall(
  old: ts.Node,
  callee: string,
  keptCallee: ts.Node,
  { options, request }: Arguments,
  wrap: readonly string[],
  surroundings: Surroundings,
): string {
  const { style } = surroundings;
  const lines = placeComments(
    old,
    keptCallee,
    [...request, ...options],
    surroundings,
  );
  const groups = [
    lines.slice(0, request.length),
    ...(options.length > 0 ? [lines.slice(request.length)] : []),
  ].filter(({ length }, index, all) => length > 0 || index < all.length - 1);
  const [name = "", ...more] = wrap;
  const inline = `${callee}(${groups.map(printInline).join(", ")})`;
  const isFlat = lines.every(isPlain);
  const all = `${name}(${[inline, ...more].join(", ")})`;
  const source = old.getSourceFile().text;
  const start = old.getStart();
  const indent = indentAt(source, start);
  const before = source.slice(source.lastIndexOf("\n", start - 1) + 1, start);
  const [rest = ""] = source.slice(old.end).split(/\r?\n/u, 1);
  const width = before.length + all.length + rest.length;
  const line = before + source.slice(start, old.end) + rest;
  // A line that was too long before stays one line.
  const isLong = line.length > maxWidth && !line.includes("\n");
  if (isFlat && (width <= maxWidth || isLong)) return all;
  const inner = indent + style.indent;
  const first =
    isFlat && inner.length + inline.length + 1 <= maxWidth
      ? inline
      : printBroken(callee, groups, inner, style);
  const parts = [first, ...more].map((each) => `${inner}${each},`);
  return [`${name}(`, ...parts, `${indent})`].join(style.lineBreak);
}

function isPlain({ after, before, text }: Line): boolean {
  return before.length + after.length === 0 && !text.includes("\n");
}

function printInline(group: readonly Line[]): string {
  const list = group.map(({ text }) => text).join(", ");
  return list === "" ? "{}" : `{ ${list} }`;
}

/** Prints a call with an argument on each line, or with one hugged object. */
function printBroken(
  callee: string,
  groups: readonly (readonly Line[])[],
  indent: string,
  style: FileStyle,
): string {
  const [only = []] = groups;
  if (groups.length <= 1) {
    return only.length === 0
      ? `${callee}()`
      : `${callee}(${printObject(only, indent, style)})`;
  }
  const inner = indent + style.indent;
  const parts = groups.map((group) => {
    const inline = printInline(group);
    const isFlat =
      group.every(isPlain) && inner.length + inline.length < maxWidth;
    return `${inner}${isFlat ? inline : printObject(group, inner, style)},`;
  });
  return [`${callee}(`, ...parts, `${indent})`].join(style.lineBreak);
}

function printObject(
  lines: readonly Line[],
  indent: string,
  style: FileStyle,
): string {
  const inner = indent + style.indent;
  const printed = lines.flatMap(({ after, before, text }) => [
    ...before.map((comment) => inner + comment),
    `${inner}${reindent(text, inner)},${after.map((each) => ` ${each}`).join("")}`,
  ]);
  return ["{", ...printed, `${indent}}`].join(style.lineBreak);
}

/**
 * Indents the second line and those after it as if the first were at `indent`.
 * Text in which line breaks can be part of a value stays the same.
 */
export function reindent(text: string, indent: string): string {
  const [first = "", ...rest] = text.split("\n");
  const hasLines = text.replaceAll(/`[^`\n]*`/gu, "").includes("`");
  if (rest.length === 0 || hasLines) return text;
  const last = rest.at(-1) ?? "";
  const [old = ""] = /^[ \t]*/u.exec(last) ?? [];
  return [
    first,
    ...rest.map((line) =>
      line.startsWith(old) ? indent + line.slice(old.length) : line,
    ),
  ].join("\n");
}

/** Assigns the comments between the kept parts of a call to its properties. */
function placeComments(
  old: ts.Node,
  callee: ts.Node,
  properties: readonly Property[],
  { compiler, slice }: Surroundings,
): readonly Line[] {
  const { text } = old.getSourceFile();
  const lines = properties.map((each) => ({
    text: each.print(slice),
    before: [] as string[],
    after: [] as string[],
    start: each.kept.getStart(),
    end: each.kept.end,
  }));
  const inOldOrder = lines.toSorted((left, right) => left.start - right.start);
  const kept = [{ start: callee.getStart(), end: callee.end }, ...lines]
    .toSorted((left, right) => left.start - right.start)
    // Several properties can be members of the same value.
    .filter(({ start }, index, all) => start !== all[index - 1]?.start);
  const gaps = kept.map(({ end }, index) => ({
    start: end,
    end: kept[index + 1]?.start ?? old.end,
  }));
  for (const gap of gaps) {
    for (const comment of commentsIn(text, gap.start, gap.end, compiler)) {
      const code = text.slice(comment.start, comment.end);
      const last = lines.find(({ end }) => end === gap.start);
      const isBeside =
        last !== undefined &&
        !text.slice(last.end, comment.start).includes("\n");
      const next = inOldOrder.find(({ start }) => start >= comment.end);
      if (isBeside) last.after.push(code);
      else if (next !== undefined) next.before.push(code);
      else {
        throw new UnsupportedCode(
          old,
          "a comment in this call has no place in the new one",
        );
      }
    }
  }
  return lines;
}

function commentsIn(
  text: string,
  start: number,
  end: number,
  compiler: Compiler,
): readonly { readonly start: number; readonly end: number }[] {
  const { SyntaxKind } = compiler;
  const scanner = compiler.createScanner(
    compiler.ScriptTarget.Latest,
    false,
    compiler.LanguageVariant.Standard,
    text,
    undefined,
    start,
    end - start,
  );
  const found = [];
  for (
    let kind = scanner.scan();
    kind !== SyntaxKind.EndOfFileToken;
    kind = scanner.scan()
  ) {
    if (
      kind === SyntaxKind.SingleLineCommentTrivia ||
      kind === SyntaxKind.MultiLineCommentTrivia
    ) {
      found.push({
        start: scanner.getTokenStart(),
        end: scanner.getTokenEnd(),
      });
    }
  }
  return found;
}
