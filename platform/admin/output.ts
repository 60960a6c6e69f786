import { toCell } from "../announce/to-printable.js";
import type { ConsoleHostClient } from "../console/generated/client.js";
import type { Page } from "../console/generated/types.js";
import {
  type Command,
  defineCommand,
  type Flags,
  type FlagsOf,
  type Output,
  type RequestOf,
  toRequest,
} from "./command.js";

/** Returns output that consists of a value and the text to print for it. */
export function show(value: unknown, text: string | number): Output {
  return { value, text: String(text) };
}

/** The maximum number of entries per page. */
const size = 200;

/** A page of a list, whose entries have the given key. */
type PageOf<Key extends string, Row> = Readonly<Record<Key, readonly Row[]>> & {
  readonly next?: string;
};

/** Defines a command that prints a list. */
export function listCommand<
  const Usage extends string,
  Key extends string,
  Row extends object,
>(
  usage: Usage,
  about: string,
  key: Key,
  read: (
    client: ConsoleHostClient,
    request: RequestOf<Usage> & { readonly page: Page },
    flags: FlagsOf<Usage>,
  ) => Promise<PageOf<Key, Row>>,
): Command {
  return defineCommand(
    `${usage} [--all]`,
    about,
    ({ client }, values, flags) => {
      const request = toRequest<Usage>(values);
      return list(flags, key, (page) =>
        read(client, { ...request, page }, flags),
      );
    },
  );
}

/** Reads the first page of a list, or with `--all` the whole list. */
export async function list<Key extends string, Row extends object>(
  flags: Flags<"--all">,
  key: Key,
  read: (page: Page) => Promise<PageOf<Key, Row>>,
): Promise<Output> {
  const rows: Row[] = [];
  let next: string | undefined;
  do {
    const page = { size, ...(next !== undefined && { after: next }) };
    const part = await read(page);
    rows.push(...part[key]);
    next = part.next;
  } while (next !== undefined && flags.has("--all"));
  const note = `only the first ${size} entries are listed; use --all to list all of them`;
  return {
    ...show(rows, printRows(rows)),
    ...(next !== undefined && { note }),
  };
}

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
