const width = 78;

/** Turns text into the lines of a comment. Long lines of prose are wrapped. */
export function toComment(text: string | null): readonly string[] {
  if (text === null) return [];
  const lines = text
    .replace(/\p{Cs}|\0/gu, "\ufffd")
    .split(/\r\n?|\n|\u2028|\u2029/u)
    .map((line) =>
      line.trimEnd().replace(/[\u0000-\u0008\u000b-\u001f]/gu, " "),
    );
  const first = lines.findIndex((line) => line !== "");
  const last = lines.findLastIndex((line) => line !== "");
  if (first === -1) return [];
  return (
    lines
      .slice(first, last + 1)
      .flatMap(wrap)
      // An `origin:` line would not be documentation.
      .map((line) => line.replace(/^(\s*)origin:/u, "$1Origin:"))
  );
}

function wrap(line: string): readonly string[] {
  const isProse = !/^(?: {4}|\t|\s*[|>`<])/u.test(line);
  if (line.length <= width || !isProse) return [line];
  const margin = /^\s*(?:[-*] +)?/u.exec(line)?.[0] ?? "";
  const result: string[] = [];
  let current = margin;
  for (const word of line.slice(margin.length).split(/\s+/u)) {
    const isFull = current.length + word.length + 1 > width;
    if (isFull && current.trim() !== "") {
      result.push(current);
      current = " ".repeat(margin.length);
    }
    const isStart = current.trim() === "" || current === margin;
    current += isStart ? word : ` ${word}`;
  }
  return [...result, current];
}

/** Joins paragraphs of comments. */
export function joinComments(
  ...parts: readonly (readonly string[])[]
): readonly string[] {
  return parts
    .filter((lines) => lines.length > 0)
    .flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]));
}
