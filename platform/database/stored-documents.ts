import { sql } from "kysely";
import type { Logger } from "pino";

import { createGrowthLimit, type NoteStored } from "./growth-limit.js";
import {
  defaultLimits,
  type Limits,
  removalWhere,
  removeAll,
} from "./removal.js";
import type { Database } from "./schema.js";

/** Tables with token and contract documents. */
export const documentTables = ["token_metadata", "contract_info"] as const;

/**
 * Returns the minute of the oldest documents to keep, or null if there are no
 * documents. The last minute that is kept can exceed the limit.
 */
async function findOldestKept(
  database: Database,
  maxBytes: number,
): Promise<Date | null> {
  // Sorting minutes takes much less time than sorting documents.
  const { rows } = await sql<{ readonly minute: Date | null }>`
    select min(minute) as minute from (
      select minute, bytes, sum(bytes) over (order by minute desc) as total
      from (
        select date_trunc('minute', saved_at) as minute,
          sum(octet_length(document)) as bytes
        from (
          select saved_at, document from token_metadata
          union all
          select saved_at, document from contract_info
        ) as documents
        group by 1
      ) as minutes
    ) as totals
    where total - bytes <= ${maxBytes}`.execute(database);
  return rows[0]?.minute ?? null;
}

/** Removes the oldest documents beyond the storage limit. */
export async function removeDocuments(
  database: Database,
  limits: Limits,
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted();
  const oldest = await findOldestKept(database, limits.maxBytes);
  const isOlder = sql`saved_at < ${oldest}`;
  for (const table of documentTables) {
    const removal = removalWhere({ table }, isOlder, limits);
    await removeAll(database, removal, signal);
  }
}

/**
 * Limits how much this instance adds to the documents between two regular
 * removals. The sizes are in bytes.
 */
export function limitDocuments(
  { database, log }: { readonly database: Database; readonly log: Logger },
  given: Partial<Limits> = {},
): NoteStored {
  const limits = { ...defaultLimits, ...given };
  return createGrowthLimit({
    log,
    max: limits.maxBytes,
    remove: async () => {
      await removeDocuments(database, limits);
      return limits.maxBytes;
    },
  });
}
