import { type Kysely, sql } from "kysely";

import type { Tables } from "../../database/schema.js";

/**
 * Returns the sequence number of a new read. A result is only stored if no
 * later read has been stored, so that a slow read does not undo a refresh.
 */
export async function drawReadNumber(
  database: Kysely<Tables>,
): Promise<number> {
  const { rows } = await sql<{ readonly number: number }>`
    select nextval('metadata_reads') as number`.execute(database);
  return rows[0]?.number ?? 0;
}
