import { type SelectQueryBuilder, sql } from "kysely";

import { InvalidArgumentError } from "../../../generated/errors.js";
import type { Tables } from "../../database/schema.js";
import type { Page } from "../generated/types.js";

/** A page of a list, with a cursor for the next page. */
export interface ListPage<Item> {
  readonly items: Item[];
  /** Empty on the last page. */
  readonly next: { readonly next?: string };
}

const defaultSize = 50;

/**
 * Reads a page of a list.
 *
 * Input: `read` gets the cursor to continue from and the number of entries to
 * read. `cursorOf` returns the cursor that continues after an entry.
 */
export async function readPart<Item>(
  page: Page | undefined,
  read: (after: string | null, limit: number) => Promise<readonly Item[]>,
  cursorOf: (item: Item) => string,
): Promise<ListPage<Item>> {
  const { after = null, size = defaultSize } = page ?? {};
  // One additional entry shows whether there is a next page.
  const found = await read(after, size + 1);
  const items = found.slice(0, size);
  const last = items.at(-1);
  const hasMore = found.length > size && last !== undefined;
  return { items, next: hasMore ? { next: cursorOf(last) } : {} };
}

/**
 * Reads a page of entries ordered by ID, largest ID first.
 *
 * Errors: `InvalidArgument` for an invalid cursor.
 */
export function readPartById<Item extends { readonly id: number }>(
  page: Page | undefined,
  read: (before: number, limit: number) => Promise<readonly Item[]>,
): Promise<ListPage<Item>> {
  return readPart(
    page,
    (after, limit) => read(toNumber(after), limit),
    ({ id }) => String(id),
  );
}

/**
 * Reads a page of the rows that a query selects, newest first.
 *
 * Errors: `InvalidArgument` for an invalid cursor.
 */
export function readRows<
  Table extends keyof Tables,
  Row extends { readonly id: number },
>(
  rows: SelectQueryBuilder<Tables, Table, Row>,
  page: Page | undefined,
): Promise<ListPage<Row>> {
  return readPartById<Row>(page, (before, limit) =>
    rows
      .where(sql<boolean>`id < ${before}`)
      .orderBy(sql`id`, "desc")
      .limit(limit)
      .execute(),
  );
}

function toNumber(after: string | null): number {
  if (after === null) return Number.MAX_SAFE_INTEGER;
  const number = /^[0-9]+$/u.test(after) ? Number(after) : NaN;
  if (Number.isSafeInteger(number)) return number;
  throw refuseCursor(after);
}

/** Creates the error for an invalid cursor. */
export function refuseCursor(after: string): InvalidArgumentError {
  const cause = `page.after: expected the \`next\` of an earlier page, got ${JSON.stringify(after)}`;
  return new InvalidArgumentError({ cause });
}
