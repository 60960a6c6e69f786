/**
 * The maximum number of rows that one query returns. Reading a row keeps the event
 * loop busy for up to 40 µs.
 */
export const rowsAtOnce = 500;

/**
 * Reads a list of any length with queries of a limited size, between which other
 * work can run.
 *
 * Input: `read` returns the rows after a row, or the first ones, in a fixed order.
 */
export async function readInPieces<Row>(
  read: (last: Row | undefined, limit: number) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const piece = await read(rows.at(-1), rowsAtOnce);
    rows.push(...piece);
    if (piece.length < rowsAtOnce) return rows;
  }
}

/** Splits the keys of rows, so that a query reads or changes a limited number. */
export function* piecesOf<Key>(
  keys: readonly Key[],
): Generator<readonly Key[]> {
  for (let start = 0; start < keys.length; start += rowsAtOnce) {
    yield keys.slice(start, start + rowsAtOnce);
  }
}
