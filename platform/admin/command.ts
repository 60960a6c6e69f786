import type { ConsoleHostClient } from "../console/generated/client.js";

/** The command line is invalid. The message gives the reason. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** The flags of commands. */
export interface Flags {
  readonly secret: boolean;
  readonly "read-only": boolean;
  readonly days: string;
}

/** A command of the platform's administration. */
export interface Command {
  /** The minimum and the maximum number of values. */
  readonly values: readonly [min: number, max: number];
  /** Returns the text to print. */
  readonly run: (
    client: ConsoleHostClient,
    flags: Flags,
    ...values: readonly string[]
  ) => Promise<string>;
}

/** The first page of a list, with the largest possible size. */
export const page = { size: 200 };

/** Parses a number. Errors: UsageError. */
export function toNumber(what: string, text: string): number {
  const number = /^[0-9]+$/u.test(text) ? Number(text) : NaN;
  if (Number.isSafeInteger(number)) return number;
  throw new UsageError(`expected a ${what}, got ${text}`);
}

/** The maximum column width, so that one long cell does not move all others. */
const maxWidth = 48;

/**
 * Prints a list in columns, one entry per line. Columns with objects come last,
 * because their texts can have any length.
 */
export function printRows(rows: readonly object[]): string {
  if (rows.length === 0) return "there are none";
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
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
