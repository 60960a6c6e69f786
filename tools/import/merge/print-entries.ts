import { hasLines, type MergedEntry } from "./merge-entries.js";

/** Prints the entries of a document. The formatter aligns them. */
export function printEntries(entries: readonly MergedEntry[]): string {
  const lines = [...linesOf(entries)];
  while (lines[0] === "") lines.shift();
  return lines.map((line) => `${line}\n`).join("");
}

function* linesOf(entries: readonly MergedEntry[]): Generator<string> {
  let previous: MergedEntry | null = null;
  for (const entry of entries) {
    yield* linesAbove(previous, entry);
    if (!hasLines(entry)) continue;
    yield* entry.lines;
    yield* linesOf(entry.members);
    previous = entry;
  }
}

function linesAbove(
  previous: MergedEntry | null,
  entry: MergedEntry,
): readonly string[] {
  const { before, isNew } = entry;
  const hasComments = before.some((line) => line !== "");
  if (hasComments) return before;
  if (previous === null) return isItem(entry) ? before : [];
  if (!isNew && !previous.isNew) return before;
  return isApart(previous, entry) ? [""] : [];
}

/** Whether there is a blank line between two entries. */
function isApart(previous: MergedEntry, { kind, lines }: MergedEntry): boolean {
  switch (kind) {
    case "field":
    case "enum-member":
      return false;
    case "header":
    case "import":
    case "error":
      return kind !== previous.kind || lines.length > 1;
    case "alias":
    case "comment":
    case "enum":
    case "method":
    case "service":
    case "struct":
      return true;
  }
}

function isItem({ kind }: MergedEntry): boolean {
  return kind !== "field" && kind !== "enum-member" && kind !== "method";
}

/** Returns the ids of the methods of a document, in order. */
export function methodIdsIn(
  entries: readonly MergedEntry[],
): readonly string[] {
  return entries.flatMap(({ id, kind, members }) =>
    kind === "method" ? id : methodIdsIn(members),
  );
}
