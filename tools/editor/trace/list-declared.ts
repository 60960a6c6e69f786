import type { Span } from "../../../generator/source/source.js";

/** A name that a generated file declares. */
export interface TracedName {
  /**
   * Name of the declaration that contains this one, or null if there is none.
   */
  readonly container: string | null;
  readonly name: string;
  /** Position of the name in the text. */
  readonly span: Span;
}

const declaration =
  /^(?:export )?(?:declare )?(?:class|const|enum|function|interface|type) (?<name>[\w$]+)/du;
const member =
  /^ {2}(?:(?:readonly|static|override) )*(?<name>[\w$]+)\??[:(<]/du;

/**
 * Lists the top-level declarations of a generated file and their direct
 * members, in source order.
 */
export function listDeclared(text: string): readonly TracedName[] {
  const found: TracedName[] = [];
  let container: string | null = null;
  let lineStart = 0;
  for (const line of text.split("\n")) {
    const top = nameIn(line, declaration);
    const name = top ?? nameIn(line, member);
    if (name !== null && (top !== null || container !== null)) {
      const start = lineStart + name.start;
      const span = { start, end: start + name.text.length };
      found.push({
        container: top === null ? container : null,
        name: name.text,
        span,
      });
    }
    container = top?.text ?? container;
    lineStart += line.length + 1;
  }
  return found;
}

function nameIn(
  line: string,
  pattern: RegExp,
): { readonly text: string; readonly start: number } | null {
  const [start, end] = pattern.exec(line)?.indices?.groups?.["name"] ?? [];
  return start === undefined || end === undefined
    ? null
    : { text: line.slice(start, end), start };
}
