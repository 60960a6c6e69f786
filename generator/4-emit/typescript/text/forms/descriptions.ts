/** A doc comment as ts-morph takes it. */
export function descriptionOf(lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  return [lines.length === 1 ? (lines[0] ?? "") : `\n${lines.join("\n")}`];
}

/** The first paragraph, where declarations have all of it. */
export function briefOf(lines: readonly string[]): readonly string[] {
  const end = lines.indexOf("");
  return end === -1 ? lines : lines.slice(0, end);
}
