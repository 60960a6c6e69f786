import { toCell } from "../announce/to-printable.js";

/**
 * The maximum width to which columns are padded. A longer cell shifts only its
 * own line.
 */
const maxWidth = 72;

/**
 * Formats a list in columns, one entry per line. Columns that contain objects
 * come last, because they can be arbitrarily long.
 */
export function printRows(rows: readonly object[]): string {
  if (rows.length === 0) return "no entries";
  const entries = rows.flatMap((row) => Object.entries(row));
  const wide = entries.filter(([, value]) => typeof value === "object");
  const last = new Set(wide.map(([name]) => name));
  const others = entries
    .map(([name]) => name)
    .filter((name) => !last.has(name));
  const names = [...new Set([...others, ...last])];
  const lines = [
    names,
    ...rows.map((row) => {
      const values = new Map<string, unknown>(Object.entries(row));
      return names.map((name) => printValue(values.get(name)));
    }),
  ];
  const widths = names.map((name, column) =>
    last.has(name)
      ? 0
      : Math.min(
          maxWidth,
          Math.max(...lines.map((line) => line[column]?.length ?? 0)),
        ),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function printValue(value: unknown): string {
  if (value === undefined) return "-";
  const text =
    typeof value === "object" ? JSON.stringify(value) : String(value);
  return toCell(text);
}
