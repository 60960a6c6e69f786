/** A pool or a client of [pg](https://node-postgres.com). */
export interface PgQueryable {
  query(
    text: string,
    parameters: unknown[],
  ): Promise<{
    readonly rows: readonly unknown[];
    readonly command?: string;
  }>;
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** Runs a statement and returns its rows. */
export async function queryPg(
  pg: PgQueryable,
  text: string,
  parameters: readonly unknown[],
): Promise<readonly unknown[]> {
  return (await pg.query(text, [...parameters])).rows;
}

/**
 * Keeps the process running when the database ends a connection. Without a
 * listener, pg ends the process. Queries on the connection still fail, and a pool
 * replaces its idle connections by itself.
 */
export function surviveLoss(pg: Pick<PgQueryable, "on">): void {
  pg.on("error", () => undefined);
}
