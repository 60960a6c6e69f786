import { widthOf } from "./width.js";

/**
 * Text with possible line breaks. This is a small version of Prettier's layout
 * algorithm, so that generated code needs no formatter.
 */
export type Doc = string | readonly Doc[] | Layout;

type Layout = Indent | Line | IfBreak | Choice | Differing;

/** Indents the following lines by two columns. */
interface Indent {
  readonly kind: "indent";
  readonly contents: Doc;
}

/** A possible line break. If the group is flat, it is a space or nothing. */
interface Line {
  readonly kind: "line";
  readonly mode: "space" | "soft" | "hard";
}

/** One text if the enclosing group is broken, another if it is flat. */
interface IfBreak {
  readonly kind: "if-break";
  readonly broken: Doc;
  readonly flat: Doc;
}

/** Alternative layouts, of which the first that fits is printed. */
interface Choice {
  readonly kind: "choice";
  /** Whether it never fits on one line, due to a hard line. */
  readonly isBroken: boolean;
  /**
   * The layout on one line. If {@link flatten} can print it, this is its text.
   */
  readonly flat: Doc;
  /** A layout, created on demand, that is used if its first line fits. */
  readonly opened: (() => Doc) | null;
  /** The last resort, or a function that creates it. */
  readonly broken: Doc | (() => Doc);
}

/** Text that differs between TypeScript and JavaScript. */
interface Differing {
  readonly kind: "differing";
  readonly typescript: Doc;
  readonly javascript: Doc;
}

/** A space, or a line break if the enclosing group is broken. */
export const line: Doc = { kind: "line", mode: "space" };
/** Nothing, or a line break if the enclosing group is broken. */
export const softLine: Doc = { kind: "line", mode: "soft" };
/** An unconditional line break. */
export const hardLine: Doc = { kind: "line", mode: "hard" };

/** Prints contents on one line if they fit. If not, breaks at every line. */
export function group(contents: Doc): Doc {
  return choice(contents, null, contents);
}

/**
 * Creates a group whose text on one line is known, so that its parts are
 * created only if needed. The text is null if the group takes several lines.
 */
export function groupOf(oneLine: string | null, contents: () => Doc): Doc {
  if (oneLine === null) return group(contents());
  const parts = { flat: oneLine, opened: null, broken: contents };
  return { kind: "choice", isBroken: false, ...parts };
}

/** Indents the following lines by two columns. */
export function indent(contents: Doc): Doc {
  return { kind: "indent", contents };
}

/** Prints `broken` if the enclosing group is broken, otherwise `flat`. */
export function ifBreak(broken: Doc, flat: Doc = ""): Doc {
  return { kind: "if-break", broken, flat };
}

/** Prints the first layout that fits. See {@link Choice}. */
export function choice(
  flat: Doc,
  opened: Choice["opened"],
  broken: Choice["broken"],
): Doc {
  const oneLine = flatten(flat);
  const isBroken = oneLine === null && hasHardLine(flat);
  return { kind: "choice", isBroken, flat: oneLine ?? flat, opened, broken };
}

/** Prints text in TypeScript only, e.g. ` as const`. */
export function typeText(typescript: Doc): Doc {
  return differing(typescript, "");
}

/** Prints different text in TypeScript and JavaScript. */
export function differing(typescript: Doc, javascript: Doc): Doc {
  return { kind: "differing", typescript, javascript };
}

/** Joins parts with a separator. */
export function join(separator: Doc, parts: readonly Doc[]): Doc {
  if (parts.length < 2) return parts;
  return parts.map((part, index) => (index === 0 ? part : [separator, part]));
}

/** Puts each part on its own line. */
export function lines(parts: readonly Doc[]): Doc {
  return join(hardLine, parts);
}

function hasHardLine(doc: Doc): boolean {
  if (typeof doc === "string") return false;
  if (isList(doc)) return doc.some(hasHardLine);
  switch (doc.kind) {
    case "choice":
      return doc.isBroken;
    case "indent":
      return hasHardLine(doc.contents);
    case "differing":
      return hasHardLine(doc.typescript);
    case "line":
      return doc.mode === "hard";
    case "if-break":
      return hasHardLine(doc.broken);
  }
}

/**
 * Returns a layout on one line. Groups store the result, so that a group that
 * fits is measured and written without its parts.
 *
 * Returns null if there is an unconditional line break, or if the languages
 * differ.
 */
export function flatten(doc: Doc): string | null {
  if (typeof doc === "string") return doc;
  if (isList(doc)) return flattenAll(doc, "");
  switch (doc.kind) {
    case "choice":
      return typeof doc.flat === "string" ? doc.flat : null;
    case "indent":
      return flatten(doc.contents);
    case "if-break":
      return hasHardLine(doc.broken) ? null : flatten(doc.flat);
    case "differing":
      return null;
    case "line":
      if (doc.mode === "hard") return null;
      return doc.mode === "space" ? " " : "";
  }
}

/**
 * Returns layouts on one line, joined with a separator, or null if one of them
 * takes several lines.
 */
export function flattenAll(
  docs: readonly Doc[],
  separator: string,
): string | null {
  let text = "";
  for (let index = 0; index < docs.length; index += 1) {
    const doc = docs[index] ?? "";
    const part = typeof doc === "string" ? doc : flatten(doc);
    if (part === null) return null;
    text += index === 0 ? part : separator + part;
  }
  return text;
}

function brokenOf({ broken }: Choice): Doc {
  return typeof broken === "function" ? broken() : broken;
}

/** Whether a layout is a list of parts. */
function isList(doc: Doc): doc is readonly Doc[] {
  return Array.isArray(doc);
}

/**
 * Prints a layout with a width of 80 columns, minus the columns that later
 * indentation takes.
 */
export function render(doc: Doc, lostColumns = 0, hasTypes = true): string {
  if (typeof doc === "string") return doc;
  const print = (measure: Measure): string => {
    const page = new Page(80 - lostColumns, hasTypes, measure);
    page.write(doc, 0, false, null);
    return page.text;
  };
  // Nearly all code is ASCII. Testing this once at the end is faster than
  // testing every part that is measured.
  const text = print(lengthOf);
  return plainLines.test(text) ? text : print(widthOf);
}

/** Joins parts, if all are strings, into one, which is faster to lay out. */
export function textOf(parts: readonly Doc[]): Doc {
  return parts.every((part) => typeof part === "string")
    ? parts.join("")
    : parts;
}

/** Returns the code of a structure, split into its lines. */
export function codeOf(doc: Doc): Doc {
  // Indentation would change the value of a template literal.
  const isLines =
    typeof doc === "string" && doc.includes("\n") && !doc.includes("`");
  return isLines ? lines(doc.split("\n")) : doc;
}

/** Indents the lines of text by two columns. */
export function indented(text: string): string {
  return `  ${text.replaceAll("\n", "\n  ")}`;
}

type Measure = (text: string) => number;

/** Returns the width of ASCII text. */
function lengthOf({ length }: string): number {
  return length;
}

type Language = "typescript" | "javascript";

/** The parts that follow one part of a list. */
interface Rest {
  readonly parts: readonly Doc[];
  /** Index of the part that follows. */
  next: number;
  readonly isFlat: boolean;
  /** The parts that follow the list. */
  readonly outer: Rest | null;
}

/** Text that is being written. */
class Page {
  readonly #width: number;
  readonly #language: Language;
  readonly #measure: Measure;
  /** Finished lines. */
  readonly #lines: string[] = [];
  #line = "";

  constructor(width: number, hasTypes: boolean, measure: Measure) {
    this.#width = width;
    this.#language = hasTypes ? "typescript" : "javascript";
    this.#measure = measure;
  }

  get text(): string {
    return [...this.#lines, this.#line].join("\n");
  }

  write(doc: Doc, depth: number, isFlat: boolean, rest: Rest | null): void {
    if (typeof doc === "string") this.#line += doc;
    else if (isList(doc)) {
      // Hot path: an indexed loop is faster than for-of here.
      let behind: Rest | null = null;
      for (let index = 0; index < doc.length; index += 1) {
        const part = doc[index] ?? "";
        if (typeof part === "string") this.#line += part;
        else {
          behind ??= { parts: doc, next: 0, isFlat, outer: rest };
          behind.next = index + 1;
          this.write(part, depth, isFlat, behind);
        }
      }
    } else this.#writeLayout(doc, depth, isFlat, rest);
  }

  #writeLayout(
    doc: Layout,
    depth: number,
    isFlat: boolean,
    rest: Rest | null,
  ): void {
    switch (doc.kind) {
      case "indent":
        return this.write(doc.contents, depth + 2, isFlat, rest);
      case "differing":
        return this.write(doc[this.#language], depth, isFlat, rest);
      case "if-break":
        return this.write(isFlat ? doc.flat : doc.broken, depth, isFlat, rest);
      case "choice": {
        const { flat, isBroken, opened } = doc;
        if (isFlat || (!isBroken && this.#fits(flat, true, rest))) {
          return this.write(flat, depth, true, rest);
        }
        const first = opened?.() ?? null;
        const isOpened = first !== null && this.#fits(first, false, rest);
        return this.write(isOpened ? first : brokenOf(doc), depth, false, rest);
      }
      case "line":
        if (!isFlat || doc.mode === "hard") this.#endLine(depth);
        else if (doc.mode === "space") this.#line += " ";
    }
  }

  /** Ends the line without trailing spaces. Empty lines are omitted. */
  #endLine(depth: number): void {
    const line = this.#line.trimEnd();
    if (line !== "" || this.#lines.length === 0) this.#lines.push(line);
    this.#line = indents[depth] ?? " ".repeat(depth);
  }

  /** Whether a layout and the text up to the next line break fit. */
  #fits(doc: Doc, isFlat: boolean, rest: Rest | null): boolean {
    let left = this.#width - this.#measure(this.#line);
    left = this.#columnsLeft(left, doc, isFlat);
    for (let next = rest; next !== null; next = next.outer) {
      const { parts, isFlat } = next;
      for (let index = next.next; index < parts.length; index += 1) {
        if (left < 0 || left === lineEnds) return left >= 0;
        left = this.#columnsLeft(left, parts[index] ?? "", isFlat);
      }
    }
    return left >= 0;
  }

  /**
   * Returns the columns that remain after a layout: negative if it does not
   * fit, {@link lineEnds} if a line break comes first.
   */
  #columnsLeft(columns: number, doc: Doc, isFlat: boolean): number {
    if (typeof doc === "string") return columns - this.#measure(doc);
    if (isList(doc)) {
      let left = columns;
      for (let index = 0; index < doc.length; index += 1) {
        left = this.#columnsLeft(left, doc[index] ?? "", isFlat);
        if (left < 0 || left === lineEnds) break;
      }
      return left;
    }
    switch (doc.kind) {
      case "indent":
        return this.#columnsLeft(columns, doc.contents, isFlat);
      case "differing":
        return this.#columnsLeft(columns, doc[this.#language], isFlat);
      case "if-break": {
        const shown = isFlat ? doc.flat : doc.broken;
        return this.#columnsLeft(columns, shown, isFlat);
      }
      case "choice": {
        const canBeFlat = isFlat && !doc.isBroken;
        const shown = canBeFlat ? doc.flat : brokenOf(doc);
        return this.#columnsLeft(columns, shown, canBeFlat);
      }
      case "line":
        if (!isFlat || doc.mode === "hard") return lineEnds;
        return doc.mode === "space" ? columns - 1 : columns;
    }
  }
}

/** Printable ASCII, which nearly all code is. */
const plainLines = /^[\n -~]*$/u;

/** Indentations by depth, created once, because nearly every line needs one. */
const indents = Array.from({ length: 21 }, (_, depth) => " ".repeat(depth));

/** Marks that a line break follows, so everything fits. */
const lineEnds = Infinity;
