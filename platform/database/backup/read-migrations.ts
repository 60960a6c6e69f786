import type pg from "pg";

/**
 * Returns the names of the migrations that were applied to a database, or null
 * if it does not contain a platform's tables.
 */
export async function readMigrations(
  client: pg.Client,
): Promise<readonly string[] | null> {
  const { rows: found } = await client.query(
    "select 1 from pg_class where oid = to_regclass('platform_migrations')",
  );
  if (found.length === 0) return null;
  const { rows } = await client.query<{ readonly name: string }>(
    "select name from platform_migrations order by name",
  );
  return rows.map(({ name }) => name);
}
