/**
 * Text that knows where it may break. A small version of the layout algorithm
 * that Prettier uses, so that generated code is canonical from the start and
 * needs no formatter when it is made.
 */
export type Doc =
  string | readonly Doc[] | Group | Indent | Line | IfBreak | Choice;

/** Printed on one line when that fits; else its own lines are broken. */
interface Group {
  readonly kind: "group";
  readonly contents: Doc;
  /** Broken in any case: asked for, or a hard line inside. */
  readonly isBroken: boolean;
}

/** Two columns deeper, from the next line on. */
interface Indent {
  readonly kind: "indent";
  readonly contents: Doc;
}

/** A possible line break: a space (`space`) or nothing (`soft`) when flat. */
interface Line {
  readonly kind: "line";
  readonly mode: "space" | "soft" | "hard";
}

/** One text where the enclosing group is broken, another where it is flat. */
interface IfBreak {
  readonly kind: "if-break";
  readonly broken: Doc;
  readonly flat: Doc;
}

/** Several layouts of the same, of which the first that fits is printed. */
interface Choice {
  readonly kind: "choice";
  /** On one line. */
  readonly flat: Doc;
  /** Fits when its first line does. */
  readonly opened: Doc;
  /** When nothing else fits. */
  readonly broken: Doc;
}

/** A space, or a line break when the enclosing group is broken. */
export const line: Doc = { kind: "line", mode: "space" };
/** Nothing, or a line break when the enclosing group is broken. */
export const softLine: Doc = { kind: "line", mode: "soft" };
/** A line break in any case. */
export const hardLine: Doc = { kind: "line", mode: "hard" };

/** Puts what follows on one line when it fits, else breaks all its lines. */
export function group(contents: Doc, isBroken = false): Doc {
  return {
    kind: "group",
    contents,
    isBroken: isBroken || hasHardLine(contents),
  };
}

/** Two columns deeper, from the next line on. */
export function indent(contents: Doc): Doc {
  return { kind: "indent", contents };
}

/** `broken` where the enclosing group is broken, else `flat`. */
export function ifBreak(broken: Doc, flat: Doc = ""): Doc {
  return { kind: "if-break", broken, flat };
}

/** The first of three layouts that fits: see {@link Choice}. */
export function choice(flat: Doc, opened: Doc, broken: Doc): Doc {
  return { kind: "choice", flat, opened, broken };
}

/** The parts with a separator between them. */
export function join(separator: Doc, parts: readonly Doc[]): Doc {
  return parts.map((part, index) => (index === 0 ? part : [separator, part]));
}

/** The parts, each on a line of its own. */
export function lines(parts: readonly Doc[]): Doc {
  return join(hardLine, parts);
}

function hasHardLine(doc: Doc): boolean {
  if (typeof doc === "string") return false;
  if (isList(doc)) return doc.some(hasHardLine);
  switch (doc.kind) {
    case "group":
      return doc.isBroken;
    case "indent":
      return hasHardLine(doc.contents);
    case "line":
      return doc.mode === "hard";
    case "if-break":
      return hasHardLine(doc.broken);
    case "choice":
      return false;
  }
}

function isList(doc: Doc): doc is readonly Doc[] {
  return Array.isArray(doc);
}

/** One piece of work of the printer. */
interface Task {
  readonly doc: Doc;
  readonly depth: number;
  readonly isFlat: boolean;
}

/**
 * Prints a layout at a width of 80 columns.
 *
 * Input: the layout, and how many columns are lost because the text will be
 * indented later. Output: text without a final line break.
 */
export function render(doc: Doc, lostColumns = 0): string {
  const width = 80 - lostColumns;
  // Most of what is printed is short, and has no choice.
  const line = onOneLine(doc, false);
  if (line !== null && widthOf(line) <= width) return line;
  const tasks: Task[] = [{ doc, depth: 0, isFlat: false }];
  // Lines that are done, and the one being written: looking at the end of the
  // whole text would copy it every time.
  let text = "";
  let current = "";
  let column = 0;
  for (let task = tasks.pop(); task !== undefined; task = tasks.pop()) {
    const { doc, depth, isFlat } = task;
    if (typeof doc === "string") {
      current += doc;
      column += widthOf(doc);
    } else if (isList(doc)) {
      const line = isFlat || endsLine(tasks) ? onOneLine(doc, isFlat) : null;
      const columns = line === null ? 0 : widthOf(line);
      if (line !== null && (isFlat || column + columns <= width)) {
        current += line;
        column += columns;
      } else pushAll(tasks, doc, depth, isFlat);
    } else if (doc.kind === "indent") {
      tasks.push({ doc: doc.contents, depth: depth + 2, isFlat });
    } else if (doc.kind === "if-break") {
      tasks.push({ doc: isFlat ? doc.flat : doc.broken, depth, isFlat });
    } else if (doc.kind === "choice") {
      tasks.push(chosen(doc, task, tasks, width - column));
    } else if (doc.kind === "group") {
      const flat: Task = { doc: doc.contents, depth, isFlat: true };
      const canBeFlat =
        isFlat || (!doc.isBroken && fits(flat, tasks, width - column));
      tasks.push(canBeFlat ? flat : { ...flat, isFlat: false });
    } else if (isFlat && doc.mode !== "hard") {
      const space = doc.mode === "space" ? " " : "";
      current += space;
      column += space.length;
    } else {
      text = withLine(text, current);
      current = " ".repeat(depth);
      column = depth;
    }
  }
  return text + current;
}

/**
 * The whole text if it takes one line when that is long enough; null when it
 * breaks in any case.
 */
function onOneLine(doc: Doc, isFlat: boolean): string | null {
  if (typeof doc === "string") return doc.includes("\n") ? null : doc;
  if (isList(doc)) {
    let text = "";
    for (const part of doc) {
      const line = onOneLine(part, isFlat);
      if (line === null) return null;
      text += line;
    }
    return text;
  }
  switch (doc.kind) {
    case "group":
      return doc.isBroken ? null : onOneLine(doc.contents, true);
    case "indent":
      return onOneLine(doc.contents, isFlat);
    case "line":
      if (!isFlat || doc.mode === "hard") return null;
      return doc.mode === "space" ? " " : "";
    case "if-break":
      return onOneLine(isFlat ? doc.flat : doc.broken, isFlat);
    case "choice":
      return onOneLine(doc.flat, true);
  }
}

/** Whether a line break is the next thing to be printed. */
function endsLine(tasks: readonly Task[]): boolean {
  let next = tasks.at(-1)?.doc ?? hardLine;
  while (isList(next)) next = next[0] ?? "";
  return next === hardLine;
}

/** Ends a line, without spaces at its end; lines with nothing on them go. */
function withLine(text: string, line: string): string {
  const trimmed = line.trimEnd();
  return trimmed === "" && text !== "" ? text : `${text}${trimmed}\n`;
}

function chosen(
  { flat, opened, broken }: Choice,
  { depth, isFlat }: Task,
  rest: readonly Task[],
  columns: number,
): Task {
  const onOneLine: Task = { doc: flat, depth, isFlat: true };
  if (isFlat || (!hasHardLine(flat) && fits(onOneLine, rest, columns))) {
    return onOneLine;
  }
  const first: Task = { doc: opened, depth, isFlat: false };
  return fits(first, rest, columns) ? first : { ...first, doc: broken };
}

function pushAll(
  tasks: Task[],
  docs: readonly Doc[],
  depth: number,
  isFlat: boolean,
): void {
  for (let index = docs.length - 1; index >= 0; index -= 1) {
    tasks.push({ doc: docs[index] ?? "", depth, isFlat });
  }
}

/**
 * Whether a flat group, and what follows it up to the next line break that is
 * taken, fits into the columns that are left.
 */
function fits(first: Task, rest: readonly Task[], columns: number): boolean {
  const tasks: Task[] = [first];
  let left = columns;
  let restIndex = rest.length;
  while (left >= 0) {
    let task = tasks.pop();
    if (task === undefined) {
      restIndex -= 1;
      task = rest[restIndex];
      if (task === undefined) return true;
    }
    const { doc, depth, isFlat } = task;
    if (typeof doc === "string") {
      left -= widthOf(doc);
    } else if (isList(doc)) {
      pushAll(tasks, doc, depth, isFlat);
    } else if (doc.kind === "indent") {
      tasks.push({ doc: doc.contents, depth, isFlat });
    } else if (doc.kind === "group") {
      tasks.push({ doc: doc.contents, depth, isFlat: isFlat && !doc.isBroken });
    } else if (doc.kind === "if-break" || doc.kind === "choice") {
      tasks.push({ doc: isFlat ? doc.flat : doc.broken, depth, isFlat });
    } else if (!isFlat || doc.mode === "hard") {
      return true;
    } else {
      left -= doc.mode === "space" ? 1 : 0;
    }
  }
  return false;
}

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;
const unusual = /[^\x20-\x7e]/;
const zeroWidth = /[\u0300-\u036f\u200b-\u200d\ufe00-\ufe0f]/u;

/** Columns that a text takes in a terminal: wide characters take two. */
export function widthOf(text: string): number {
  if (!unusual.test(text)) return text.length;
  let columns = 0;
  for (const character of text) {
    if (zeroWidth.test(character)) continue;
    columns += wide.test(character) ? 2 : 1;
  }
  return columns;
}
