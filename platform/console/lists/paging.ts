import { InvalidArgumentError } from "../../../generated/errors.js";
import type { Page } from "../generated/types.js";

/** A part of a list, and where the next one begins. */
export interface Part<Item> {
  readonly items: Item[];
  /** Nothing, if this is the last part. */
  readonly next: { readonly next?: string };
}

const usualSize = 50;

/**
 * Reads a part of a list.
 *
 * Input: `read` gets where the list goes on, and how many entries to read.
 * `cursorOf` says where it goes on after an entry.
 */
export async function readPart<Item>(
  page: Page | undefined,
  read: (after: string | null, limit: number) => Promise<readonly Item[]>,
  cursorOf: (item: Item) => string,
): Promise<Part<Item>> {
  const { after = null, size = usualSize } = page ?? {};
  // One more tells whether there are any.
  const found = await read(after, size + 1);
  const items = found.slice(0, size);
  const last = items.at(-1);
  const hasMore = found.length > size && last !== undefined;
  return { items, next: hasMore ? { next: cursorOf(last) } : {} };
}

/** The same for entries by their numbers, the largest first. */
export function readPartById<Item extends { readonly id: number }>(
  page: Page | undefined,
  read: (before: number, limit: number) => Promise<readonly Item[]>,
): Promise<Part<Item>> {
  return readPart(
    page,
    (after, limit) => read(toNumber(after), limit),
    ({ id }) => String(id),
  );
}

function toNumber(after: string | null): number {
  if (after === null) return Number.MAX_SAFE_INTEGER;
  const number = /^[0-9]+$/u.test(after) ? Number(after) : NaN;
  if (Number.isSafeInteger(number)) return number;
  throw refuseCursor(after);
}

/** The error of a cursor that this list has not given. */
export function refuseCursor(after: string): InvalidArgumentError {
  const cause = `page.after: expected the \`next\` of another part, got ${JSON.stringify(after)}`;
  return new InvalidArgumentError({ cause });
}
