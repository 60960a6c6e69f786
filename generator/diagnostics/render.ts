import { createLineFinder } from "../source/line-index.js";
import type { Location } from "../source/source.js";
import type { Diagnostic } from "./diagnostic.js";
import { createExcerpt, type Excerpt } from "./excerpt.js";
import { createStyle, type Style } from "./style.js";
import { toPrintable } from "./text-width.js";

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

/**
 * Returns the marked lines by file: the diagnostic's own file first, lines in
 * order.
 */
function framesOf(
  linesOf: LineFinder,
  { location, label, related }: Diagnostic,
): MarkedLine[][] {
  const marks: Mark[] = (related ?? []).map((place) => ({
    ...place,
    isMain: false,
  }));
  if (location) marks.unshift({ location, label: label ?? "", isMain: true });
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
