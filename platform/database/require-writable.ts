import type { ClientBase, PoolClient } from "pg";

/** The SQLSTATE code of a write on a read-only server. */
export const readOnlyState = "25006";

/**
 * Checks that the server of a connection can write. A replica cannot, and
 * neither can a former primary, whose data is out of date. Every connection of
 * the platform is checked when it is opened, so that one to a read-only server
 * counts as none.
 *
 * Errors: pg's error with SQLSTATE 25006 if the server is read-only.
 */
export async function requireWritable(client: ClientBase): Promise<void> {
  await client.query(requireWritableSql);
}

/** The same check as a statement. */
export const requireWritableSql = `
  do $$ begin
    if current_setting('transaction_read_only')::boolean then
      raise read_only_sql_transaction using message = 'the server is read-only';
    end if;
  end $$`;

/** The same check for the `verify` option of a pool. */
export function verifyWritable(
  client: PoolClient,
  done: (error?: Error) => void,
): void {
  client.query(requireWritableSql, (error: Error | null) =>
    done(error ?? undefined),
  );
}
