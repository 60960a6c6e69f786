/** A piece of a text, and what takes its place; an insertion replaces nothing. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** An edit that leaves everything that is there. */
export function insertAt(offset: number, text: string): TextEdit {
  return { start: offset, end: offset, text };
}

/** Applies edits that do not overlap; those of one place in their order. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const sorted = edits.toSorted((left, right) => left.start - right.start);
  const pieces = sorted.map((edit, index) => {
    const from = sorted[index - 1]?.end ?? 0;
    return text.slice(from, edit.start) + edit.text;
  });
  return pieces.join("") + text.slice(sorted.at(-1)?.end ?? 0);
}
