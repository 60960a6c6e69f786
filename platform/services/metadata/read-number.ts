import { type Kysely, sql } from "kysely";

import type { Tables } from "../../database/schema.js";

/**
 * Draws the number of a read that is about to begin. What is read is kept only
 * if nothing is there that began to be read later: a slow read does not undo a
 * refresh.
 */
export async function drawReadNumber(
  database: Kysely<Tables>,
): Promise<number> {
  const { rows } = await sql<{ readonly number: number }>`
    select nextval('metadata_reads') as number`.execute(database);
  return rows[0]?.number ?? 0;
}
