import type { ConsoleHostClient } from "../console/generated/client.js";

/** The command cannot be run as it was given; the message says why. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** What commands may be given besides values. */
export interface Flags {
  readonly secret: boolean;
  readonly "read-only": boolean;
  readonly days: string;
}

/** A command of the platform's administration. */
export interface Command {
  /** How many there may be, at least and at most. */
  readonly values: readonly [min: number, max: number];
  /** Output: what to print. */
  readonly run: (
    client: ConsoleHostClient,
    flags: Flags,
    ...values: readonly string[]
  ) => Promise<string>;
}

/** The first part of a list, as large as it can be. */
export const page = { size: 200 };

/** Reads a number of something. Errors: UsageError. */
export function toNumber(what: string, text: string): number {
  const number = /^[0-9]+$/u.test(text) ? Number(text) : NaN;
  if (Number.isSafeInteger(number)) return number;
  throw new UsageError(`expected a ${what}, got ${text}`);
}

/** Prints a list in columns, one entry a line. */
export function printRows(rows: readonly object[]): string {
  if (rows.length === 0) return "there are none";
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const lines = [
    names,
    ...rows.map((row) => {
      const values = new Map<string, unknown>(Object.entries(row));
      return names.map((name) => printValue(values.get(name)));
    }),
  ];
  const widths = names.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
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
