import { type RawBuilder, sql } from "kysely";

/**
 * Returns SQL for the milliseconds since the time in a column. Only the
 * database's clock is the same for all instances.
 */
export function ageMs(column: string): RawBuilder<number> {
  return sql<number>`
    extract(epoch from now() - ${sql.ref(column)})::float8 * 1000`;
}
