/** Removes empty lines at both ends. */
export function trimBlank(lines: readonly string[]): readonly string[] {
  if (lines[0] !== "" && lines.at(-1) !== "") return lines;
  const first = lines.findIndex((line) => line !== "");
  const last = lines.findLastIndex((line) => line !== "");
  return first === -1 ? [] : lines.slice(first, last + 1);
}
