import { pipeline, Readable } from "node:stream";

import type { FileData } from "@ridlkit/runtime/file-data";
import { parse } from "csv-parse";

import { giveWay } from "../../process/concurrency/give-way.js";
import type { CsvFault } from "../generated/types.js";

/** The content of a CSV file with contacts. */
export interface ContactsFile {
  readonly contactIds: readonly bigint[];
  /** The first errors in the file. */
  readonly faults: readonly CsvFault[];
  readonly faultCount: number;
}

/** The column of contact IDs. */
const contactColumn = "contactId";

const maxFaults = 100;
const maxContacts = 200_000;

/**
 * The size of the pieces that are parsed at once, in bytes. Nothing else can run
 * while a piece is parsed.
 */
const pieceBytes = 4096;

const maxContactId = 2n ** 64n - 1n;

/** A row as the parser returns it. */
interface CsvRow {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/**
 * Reads contacts from a CSV file whose first line names the columns. It
 * continues after an invalid contact ID, but stops if the column is missing, the
 * file is not valid CSV, or it has too many contacts.
 */
export async function readContactsCsv(file: FileData): Promise<ContactsFile> {
  const contactIds = new Set<bigint>();
  const faults: CsvFault[] = [];
  let faultCount = 0;
  let column = -1;
  const addFault = (line: number, problem: string): void => {
    faultCount += 1;
    if (faults.length < maxFaults) faults.push({ line, problem });
  };
  const [delimiter, csv] = await readDelimiter(file);
  const parser = parse({
    bom: true,
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  });
  try {
    // The reader of the parser receives all errors, including the file's.
    const rows: AsyncIterable<CsvRow> = pipeline(csv, parser, () => undefined);
    for await (const row of rows) {
      await giveWay();
      const { lines: line } = row.info;
      if (column < 0) {
        column = row.record.indexOf(contactColumn);
        if (column >= 0) continue;
        addFault(
          line,
          `the first line has no column named \`${contactColumn}\``,
        );
        break;
      }
      if (contactIds.size === maxContacts) {
        addFault(line, `the file has more than ${maxContacts} contacts`);
        break;
      }
      const id = toContactId(row.record[column] ?? "");
      if (typeof id === "bigint") contactIds.add(id);
      else addFault(line, id);
    }
  } catch (error) {
    if (!isCsvError(error)) throw error;
    addFault(Math.max(error.lines, 1), error.message);
  }
  if (column < 0 && faultCount === 0) addFault(1, "the file is empty");
  return { contactIds: [...contactIds], faults, faultCount };
}

/**
 * Finds the character that separates the columns. Spreadsheets use a semicolon
 * in countries with decimal commas. Returns it with the content of the file.
 */
async function readDelimiter(
  file: FileData,
): Promise<readonly [string, AsyncIterable<Uint8Array>]> {
  const chunks = Readable.from(file.stream())[Symbol.asyncIterator]();
  const first = await chunks.next();
  const start: Uint8Array =
    first.done === true ? new Uint8Array() : first.value;
  const [line = ""] = new TextDecoder().decode(start).split("\n");
  const delimiter = [",", ";", "\t"].find((each) => line.includes(each)) ?? ",";
  async function* content(): AsyncGenerator<Uint8Array> {
    yield* piecesOf(start);
    for await (const chunk of { [Symbol.asyncIterator]: () => chunks }) {
      yield* piecesOf(chunk);
    }
  }
  return [delimiter, content()];
}

function* piecesOf(chunk: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < chunk.length; start += pieceBytes) {
    yield chunk.subarray(start, start + pieceBytes);
  }
}

/** Parses a contact ID. Returns the number, or an error message. */
function toContactId(text: string): bigint | string {
  if (text === "") return `\`${contactColumn}\` is empty`;
  const id = /^[0-9]{1,20}$/u.test(text) ? BigInt(text) : null;
  if (id !== null && id <= maxContactId) return id;
  const shown = JSON.stringify(text.slice(0, 40));
  return `expected an unsigned 64-bit integer, got ${shown}`;
}

function isCsvError(
  error: unknown,
): error is Error & { readonly lines: number } {
  return (
    error instanceof Error &&
    "lines" in error &&
    typeof error.lines === "number"
  );
}

/**
 * Returns a CSV file whose stream reads the contacts on demand.
 *
 * Input: `read` returns the next contacts after a given one, in order, or an
 * empty list at the end.
 */
export function writeContactsCsv(
  name: string,
  read: (after: bigint | null) => Promise<readonly bigint[]>,
): FileData {
  const encoder = new TextEncoder();
  let after: bigint | null = null;
  return {
    name,
    type: "text/csv",
    stream: () =>
      new ReadableStream<Uint8Array>({
        start: (controller) => {
          controller.enqueue(encoder.encode(`${contactColumn}\n`));
        },
        pull: async (controller) => {
          const ids = await read(after);
          after = ids.at(-1) ?? after;
          if (ids.length === 0) controller.close();
          else controller.enqueue(encoder.encode(`${ids.join("\n")}\n`));
        },
      }),
  };
}
