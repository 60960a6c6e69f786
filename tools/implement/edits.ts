/** A replacement for part of some text. An insertion replaces nothing. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Creates an insertion. */
export function insertAt(offset: number, text: string): TextEdit {
  return { start: offset, end: offset, text };
}

/** Applies edits that do not overlap. Equal offsets keep their order. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const sorted = edits.toSorted((left, right) => left.start - right.start);
  const pieces = sorted.map((edit, index) => {
    const from = sorted[index - 1]?.end ?? 0;
    return text.slice(from, edit.start) + edit.text;
  });
  return pieces.join("") + text.slice(sorted.at(-1)?.end ?? 0);
}
