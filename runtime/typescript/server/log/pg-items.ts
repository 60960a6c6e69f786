import { within } from "../../values/within.js";
import {
  type PgQueryable,
  queryPg,
  surviveLoss,
} from "../idempotency/pg-queryable.js";
import {
  postgresItems,
  type PostgresItems,
  type PostgresItemsOptions,
} from "./postgres-items.js";

/** A client of [pg](https://node-postgres.com) that is not from a pool. */
export interface PgListener {
  connect(): Promise<unknown>;
  query(text: string): Promise<unknown>;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(
    event: "notification",
    listener: (message: { readonly payload?: string | undefined }) => void,
  ): unknown;
  end(): Promise<void>;
}

/** Options for {@link pgItems}. */
export interface PgItemsOptions extends Omit<
  PostgresItemsOptions<PgQueryable>,
  "listen" | "query"
> {
  /**
   * Returns a new client, which {@link pgItems} connects, uses for `LISTEN`, and
   * ends. Called again when the connection is lost. Default: new items are found
   * every `pollMs`.
   */
  readonly newClient?: () => PgListener;
}

/** How long a connection can take to open. */
const openMs = 10_000;

/** How long a connection can take to end. Its socket may not respond anymore. */
const endMs = 1000;

/**
 * Keeps items in PostgreSQL, as {@link postgresItems} does, with a pool of
 * [pg](https://node-postgres.com). The pool stays the caller's.
 *
 * Example: `pgItems(new Pool(), { newClient: () => new Client(), onError })`.
 */
export function pgItems(
  pool: PgQueryable,
  { newClient, ...options }: PgItemsOptions,
): PostgresItems<PgQueryable> {
  surviveLoss(pool);
  return postgresItems<PgQueryable>({
    ...options,
    query: (text, parameters, client = pool) =>
      queryPg(client, text, parameters),
    ...(newClient && {
      listen: (channel, notify, lost) =>
        listen(newClient(), channel, notify, lost),
    }),
  });
}

/** Returns a function that ends the client, which also ends if this fails. */
async function listen(
  client: PgListener,
  channel: string,
  notify: (payload: string | undefined) => void,
  lost: (error: unknown) => void,
): Promise<() => Promise<unknown>> {
  const end = (): Promise<unknown> =>
    within(
      client.end().catch(() => undefined),
      endMs,
    );
  client.on("error", (error) => {
    lost(error);
    void end();
  });
  client.on("notification", ({ payload }) => notify(payload));
  const open = async (): Promise<true> => {
    await client.connect();
    await client.query(`LISTEN ${channel}`);
    return true;
  };
  try {
    if (await within(open(), openMs)) return end;
    throw new Error(`no connection for LISTEN within ${openMs} ms`);
  } catch (error) {
    await end();
    throw error;
  }
}
