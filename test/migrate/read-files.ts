/** Reads files from one text, in which a line begins each with its name. */
export function readFiles(text: string): Record<string, string> {
  const parts = text.split(/^=== (.*)\n/mu).slice(1);
  return Object.fromEntries(
    parts.flatMap((name, index) =>
      index % 2 === 0 ? [[name, parts[index + 1] ?? ""]] : [],
    ),
  );
}
