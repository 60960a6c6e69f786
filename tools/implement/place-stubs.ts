import type { ts } from "ts-morph";
import type { Compiler } from "./compiler.js";
import { insertAt, type TextEdit } from "./edits.js";
import { type FileStyle, indentAt } from "./file-style.js";
import type { Implementation } from "./find-implementations.js";
import type { HandledMethod } from "./handler-methods.js";

/** The text between the braces of an object or a class. */
export interface Body {
  readonly text: string;
  /** Offset after the opening brace. */
  readonly open: number;
  /** Offset of the closing brace. */
  readonly close: number;
  readonly members: readonly ts.Node[];
  /** Offset after the comma of each member, or null if it has none. */
  readonly commas: readonly (number | null)[];
  readonly isClass: boolean;
  /** Indentation of the closing brace. `indent` is that of members. */
  readonly outer: string;
  readonly indent: string;
}

/** Analyzes the text between the braces of an implementation. */
export function readBody(
  { node, source }: Implementation,
  style: FileStyle,
  compiler: Compiler,
): Body {
  const { text } = source;
  const isClass = compiler.isClassLike(node);
  const members = isClass ? node.members : node.properties;
  const close = node.end - 1;
  const [first] = members;
  const start = first?.getStart() ?? 0;
  const own = first && startsLine(text, start) ? indentAt(text, start) : null;
  const outer = startsLine(text, close)
    ? indentAt(text, close)
    : indentAt(text, members.pos);
  return {
    text,
    open: members.pos,
    close,
    members,
    commas: members.map((_, index) => {
      const next = members[index + 1];
      if (isClass) return null;
      if (next !== undefined) return next.pos;
      return members.hasTrailingComma === true ? members.end : null;
    }),
    isClass,
    outer,
    indent: own ?? outer + style.indent,
  };
}

function startsLine(text: string, offset: number): boolean {
  return /(?:^|\n)[ \t]*$/u.test(text.slice(0, offset));
}

/**
 * Methods to add after the member with the index `after`. -1 means before the
 * first member.
 */
export interface Gap {
  readonly after: number;
  readonly methods: readonly HandledMethod[];
}

/**
 * Finds where missing methods belong, in the order of the contract: after the
 * previous method, before the next one, or at the end if there is neither.
 */
export function findGaps(
  { allowed, members, missing }: Implementation,
  body: Body,
): readonly Gap[] {
  const order = [...allowed];
  const places = order.map(({ property }) => {
    const member = members.get(property);
    return member === undefined ? -1 : body.members.indexOf(member);
  });
  const isThere = (place: number): boolean => place !== -1;
  const gaps = new Map<number, HandledMethod[]>();
  for (const method of order.filter((each) => missing.includes(each))) {
    const index = order.indexOf(method);
    const before = places.slice(0, index).findLast(isThere);
    const after = places.slice(index + 1).find(isThere);
    const last = body.members.length - 1;
    const place = before ?? (after === undefined ? last : after - 1);
    gaps.set(place, [...(gaps.get(place) ?? []), method]);
  }
  return [...gaps].map(([after, methods]) => ({ after, methods }));
}

/** Returns edits that fill a gap. `print` receives the indentation. */
export function fillGap(
  body: Body,
  { after, methods }: Gap,
  print: (method: HandledMethod, indent: string) => readonly string[],
  { lineBreak }: FileStyle,
  compiler: Compiler,
): readonly TextEdit[] {
  const { close, commas, indent, isClass, members, open, text } = body;
  const comma = commas[after] ?? null;
  const end = comma ?? members[after]?.end ?? open;
  const isLast = after === members.length - 1;
  const needsComma = !isClass && members.length > 0 && isLast && comma === null;
  const separator = isClass ? "" : ",";
  const final = needsComma ? "" : separator;
  const line = skipComments(text, end, close, compiler);
  const isBroken = /^[ \t]*\r?\n/u.test(text.slice(line));
  // Code that follows on the same line moves to a new line. Spaces before it
  // would end the current line.
  const [space = ""] = /^[ \t]*/u.exec(text.slice(line)) ?? [];
  const stubs = methods.map((method) =>
    print(method, indent)
      .map((line, index) => (index === 0 ? indent + line : line))
      .join(lineBreak),
  );
  const isSpaced = hasBlankLines(body);
  const between = separator + lineBreak + (isSpaced ? lineBreak : "");
  const start = lineBreak + (isSpaced && after >= 0 ? lineBreak : "");
  const tail = [
    isSpaced && after < 0 && members.length > 0 ? lineBreak : "",
    isBroken ? "" : lineBreak + (isLast ? body.outer : indent),
  ];
  return [
    ...(needsComma ? [insertAt(end, separator)] : []),
    {
      start: line,
      end: line + space.length,
      text: start + stubs.join(between) + final + tail.join(""),
    },
  ];
}

/** Skips comments at the end of a line. They belong to that line. */
function skipComments(
  text: string,
  offset: number,
  close: number,
  compiler: Compiler,
): number {
  const comments = compiler.getTrailingCommentRanges(text, offset) ?? [];
  const end = comments.at(-1)?.end ?? offset;
  if (/\S/u.test(text.slice(end, close))) {
    // Braces may also contain nothing but comments.
    const others = compiler.getLeadingCommentRanges(text, end) ?? [];
    const last = others.at(-1)?.end ?? end;
    if (!/\S/u.test(text.slice(last, close))) return last;
  }
  return end;
}

/** Whether empty lines separate members, as is common in classes. */
function hasBlankLines({ isClass, members, text }: Body): boolean {
  if (members.length < 2) return isClass;
  const gaps = members
    .slice(1)
    .map((member) => text.slice(member.pos, member.getStart()));
  const blank = gaps.filter((gap) => /\n[ \t]*\r?\n/u.test(gap));
  return blank.length * 2 >= gaps.length;
}
