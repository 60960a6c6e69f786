import { createLineFinder, type LineIndex } from "../source/line-index.js";
import type { Location, Span } from "../source/source.js";
import type { Diagnostic, Severity } from "./diagnostic.js";
import { toPrintable, widthOf } from "./text-width.js";

/** Options for rendering diagnostics. */
export interface RenderOptions {
  /** Whether to use ANSI colors. */
  readonly color: boolean;
}

/** A location to mark, with its label. */
interface Mark {
  readonly location: Location;
  readonly label: string;
  /** Whether it is the location of the diagnostic itself. */
  readonly isMain: boolean;
}

/** A mark with the line that contains it. */
interface MarkedLine extends Excerpt {
  readonly mark: Mark;
}

/**
 * Renders one diagnostic in human-readable form: a self-contained first line,
 * code frames, notes and help. Returns lines joined by `\n`, without a trailing
 * line break.
 */
export function renderDiagnostic(
  diagnostic: Diagnostic,
  options: RenderOptions,
): string {
  return renderDiagnostics([diagnostic], options);
}

/** Renders several diagnostics, separated by empty lines. */
export function renderDiagnostics(
  diagnostics: readonly Diagnostic[],
  options: RenderOptions,
): string {
  const linesOf = createLineFinder();
  const style = createStyle(options.color);
  return diagnostics
    .map((diagnostic) => renderWith(linesOf, style, diagnostic))
    .join("\n\n");
}

type LineFinder = ReturnType<typeof createLineFinder>;

function renderWith(
  linesOf: LineFinder,
  style: Style,
  diagnostic: Diagnostic,
): string {
  const frames = framesOf(linesOf, diagnostic);
  const digits = frames
    .flat()
    .reduce((most, { line }) => Math.max(most, String(line).length), 0);
  const gutter = " ".repeat(digits);
  return [
    renderTitle(style, diagnostic),
    ...frames.flatMap((frame) =>
      renderFrame(linesOf, style, gutter, diagnostic, frame),
    ),
    ...renderRemarks(style, gutter, diagnostic),
  ].join("\n");
}

function renderTitle(style: Style, diagnostic: Diagnostic): string {
  const { severity, code, message } = diagnostic;
  const title = style("strong", `: ${toPrintable(message)}`);
  return style(severity, `${severity}[${code}]`) + title;
}

/** Returns the marked lines by file, the diagnostic's own file first. */
function framesOf(
  linesOf: LineFinder,
  { location, related }: Diagnostic,
): MarkedLine[][] {
  const marks: Mark[] = (related ?? []).map((place) => ({
    ...place,
    isMain: false,
  }));
  if (location) marks.unshift({ location, label: "", isMain: true });
  const frames = new Map<string, MarkedLine[]>();
  for (const mark of marks) {
    const { source, span } = mark.location;
    const lines = linesOf(source);
    const excerpt = createExcerpt(source.text, lines, span);
    const frame = frames.get(source.path) ?? [];
    frame.push({ ...excerpt, mark });
    frames.set(source.path, frame);
  }
  return [...frames.values()].map((frame) =>
    frame.sort((a, b) => a.line - b.line || a.indent - b.indent),
  );
}

function renderFrame(
  linesOf: LineFinder,
  style: Style,
  gutter: string,
  diagnostic: Diagnostic,
  frame: readonly MarkedLine[],
): string[] {
  const head = frame.find(({ mark }) => mark.isMain) ?? frame[0];
  if (head === undefined) return [];
  const { source, span } = head.mark.location;
  const { line, column } = linesOf(source).positionOf(span.start);
  const arrow = head.mark.isMain ? "-->" : ":::";
  const place = `${toPrintable(source.path)}:${line}:${column}`;
  const rows = [
    `${gutter}${style("frame", arrow)} ${place}`,
    style("frame", `${gutter} |`),
  ];
  let shown: MarkedLine | undefined;
  for (const marked of frame) {
    if (shown && marked.line > shown.line + 2) rows.push(style("frame", "..."));
    if (marked.line !== shown?.line || marked.text !== shown.text) {
      rows.push(renderLine(style, gutter, marked));
    }
    rows.push(renderMark(style, gutter, diagnostic, marked));
    shown = marked;
  }
  return rows;
}

function renderLine(style: Style, gutter: string, excerpt: Excerpt): string {
  const number = String(excerpt.line).padStart(gutter.length);
  const text = excerpt.text.trimEnd();
  return style("frame", `${number} |`) + (text === "" ? "" : ` ${text}`);
}

function renderMark(
  style: Style,
  gutter: string,
  { severity }: Diagnostic,
  { indent, width, mark }: MarkedLine,
): string {
  const line = (mark.isMain ? "^" : "-").repeat(width);
  const label = mark.label === "" ? "" : ` ${toPrintable(mark.label)}`;
  const part = mark.isMain ? severity : "frame";
  const margin = style("frame", `${gutter} |`);
  return `${margin} ${" ".repeat(indent)}${style(part, line + label)}`;
}

function renderRemarks(
  style: Style,
  gutter: string,
  { notes, help }: Diagnostic,
): string[] {
  const margin = style("frame", `${gutter} =`);
  const remark = (title: string, text: string): string =>
    `${margin} ${title} ${toPrintable(text)}`;
  const facts = (notes ?? []).map((text) =>
    remark(style("strong", "note:"), text),
  );
  if (help === undefined) return facts;
  return [...facts, remark(style("help", "help:"), help)];
}

/** Parts of a rendered diagnostic that differ in color. */
type StyledPart = Severity | "frame" | "help" | "strong";

/** Styles text in the colors of a part. */
type Style = (part: StyledPart, text: string) => string;

const codes: Readonly<Record<StyledPart, string>> = {
  error: "1;31",
  warning: "1;33",
  info: "1;36",
  frame: "34",
  help: "32",
  strong: "1",
};

/** Creates a style with ANSI colors, or one that leaves text unchanged. */
function createStyle(color: boolean): Style {
  if (!color) return (_part, text) => text;
  return (part, text) =>
    text === "" ? text : `\u001b[${codes[part]}m${text}\u001b[0m`;
}

/** Lines of up to this many characters are shown in full. */
const maxLineLength = 120;
/** Number of characters shown before and after the mark in a longer line. */
const context = 40;

/** A line of a source, ready to be shown, with one marked range. */
interface Excerpt {
  /** The number of the line, 1-based. */
  readonly line: number;
  readonly text: string;
  /** Columns before the mark. */
  readonly indent: number;
  /** Columns of the mark, at least 1. */
  readonly width: number;
}

/** Returns the line of the source where `span` begins. */
function createExcerpt(text: string, lines: LineIndex, span: Span): Excerpt {
  const line = lines.lineOf(span.start);
  const window = cropLine(text, lines, line, span);
  const start = Math.min(Math.max(span.start, window.start), window.end);
  const end = Math.min(Math.max(span.end, start), window.end);
  const prefix = window.isCutBefore ? "…" : "";
  return {
    line,
    text:
      prefix +
      toPrintable(text.slice(window.start, window.end)) +
      (window.isCutAfter ? "…" : ""),
    indent: widthOf(prefix + text.slice(window.start, start)),
    width: Math.max(1, widthOf(text.slice(start, end))),
  };
}

interface Window extends Span {
  readonly isCutBefore: boolean;
  readonly isCutAfter: boolean;
}

/** Returns the visible part of a line: the text around the span. */
function cropLine(
  text: string,
  lines: LineIndex,
  line: number,
  span: Span,
): Window {
  const lineStart = lines.startOf(line);
  const lineEnd = lines.endOf(line);
  const isShort = lineEnd - lineStart <= maxLineLength;
  const firstEnd = Math.min(span.end, span.start + maxLineLength - context);
  const start = isShort ? lineStart : Math.max(lineStart, span.start - context);
  const end = isShort ? lineEnd : Math.min(lineEnd, firstEnd + context);
  return {
    start: isInsidePair(text, start) ? start - 1 : start,
    end: isInsidePair(text, end) ? end + 1 : end,
    isCutBefore: start > lineStart,
    isCutAfter: end < lineEnd,
  };
}

/** Whether `offset` falls between the halves of a surrogate pair. */
function isInsidePair(text: string, offset: number): boolean {
  return (text.codePointAt(offset - 1) ?? 0) > 0xffff;
}
