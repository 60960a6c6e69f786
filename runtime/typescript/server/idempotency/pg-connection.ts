import { requireNumber } from "../model/option-number.js";
import { type PgQueryable, queryPg, surviveLoss } from "./pg-queryable.js";
import { busy } from "../model/places.js";
import { within } from "../../values/within.js";
import type { PostgresConnection } from "./postgres-connection.js";

/** A client of [pg](https://node-postgres.com), from a pool. */
export interface PgClient extends PgQueryable {
  /** Input: whether to close the connection. */
  release(closes: boolean): void;
}

/** A pool of [pg](https://node-postgres.com). */
export interface PgPool<Client> {
  connect(): Promise<Client>;
  /** Clients are inferred from both overloads. */
  connect(callback: never): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  readonly options?: { readonly max?: number };
}

/** Options for {@link pgConnection}. */
export interface PgConnectionOptions {
  /**
   * Maximum number of connections that transactions occupy at the same time.
   * Default: one less than the pool has, so that handlers can also use the pool.
   */
  readonly maxConnections?: number;
  /**
   * How long a transaction waits for a connection, in milliseconds. After that,
   * the call fails with 503 `WebrpcRequestFailed`. Default: 2,000.
   */
  readonly queueMs?: number;
}

/** How long a connection can take to begin a transaction before it is closed. */
const beginMs = 2000;

/** How long a rollback can take before the connection is closed instead. */
const rollbackMs = 1000;

/** How long a commit can take before the connection is closed. */
const commitMs = 30_000;

const ignore = (): void => undefined;

/**
 * Returns a connection for {@link postgresAnswers} that uses a pool of
 * [pg](https://node-postgres.com). Its transactions are `READ COMMITTED`. A
 * connection that the database ends, or that cannot be rolled back, is closed.
 *
 * Errors: TypeError if a pool of one connection would leave none to handlers.
 *
 * Example: `postgresAnswers(pgConnection(new Pool()))`.
 */
export function pgConnection<Client extends PgClient>(
  pool: PgPool<Client>,
  {
    maxConnections = (pool.options?.max ?? 10) - 1,
    queueMs = 2000,
  }: PgConnectionOptions = {},
): PostgresConnection<Client> {
  if (maxConnections === 0) {
    throw new TypeError(
      "pgConnection: handlers that use the pool need a second connection. " +
        "Set `max: 2` for the pool, or `maxConnections: 1` if none does",
    );
  }
  requireNumber("pgConnection.maxConnections", maxConnections, 1);
  requireNumber("pgConnection.queueMs", queueMs, 0);
  const slots = new Slots(maxConnections, queueMs);
  const watched = new WeakSet<Client>();
  surviveLoss(pool);
  return {
    query: queryPg,
    transaction: async (run) => {
      await slots.take();
      try {
        const client = await connect(pool, queueMs);
        if (!watched.has(client)) surviveLoss(client);
        watched.add(client);
        return await inTransaction(client, run);
      } finally {
        slots.release();
      }
    },
  };
}

/** Returns a client. Errors: `Refusal` if none is free in time. */
async function connect<Client extends PgClient>(
  pool: PgPool<Client>,
  queueMs: number,
): Promise<Client> {
  const connecting = pool.connect().catch((error: unknown) => {
    // `connectionTimeoutMillis` of the pool can end before `queueMs`.
    if (error instanceof Error && /\btimeout\b/u.test(error.message))
      throw busy;
    throw error;
  });
  const client = await within(connecting, queueMs);
  if (client !== null) return client;
  connecting.then((late) => late.release(false), ignore);
  throw busy;
}

async function inTransaction<Client extends PgClient, Result>(
  client: Client,
  run: (client: Client) => Promise<Result>,
): Promise<Result> {
  let isClean = false;
  try {
    // The other end of an idle connection may be gone.
    const beginning = client.query("BEGIN ISOLATION LEVEL READ COMMITTED", []);
    if ((await within(beginning, beginMs)) === null) throw busy;
    const result = await run(client);
    const ended = await within(client.query("COMMIT", []), commitMs);
    if (ended === null) throw new Error("the database did not commit in time");
    isClean = true;
    // A transaction in which a statement has failed cannot be committed.
    if (ended.command === "ROLLBACK") throw new Error("a statement has failed");
    return result;
  } catch (error) {
    if (!isClean) {
      const undoing = client.query("ROLLBACK", []).then(() => true, ignore);
      isClean = (await within(undoing, rollbackMs)) === true;
    }
    throw error;
  } finally {
    client.release(!isClean);
  }
}

/** Slots for transactions, which are given out in the order of the requests. */
class Slots {
  readonly #queueMs: number;
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(count: number, queueMs: number) {
    this.#free = count;
    this.#queueMs = queueMs;
  }

  /** Takes a slot. Errors: `Refusal` if none is free in time. */
  async take(): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    let enter: () => void = ignore;
    const entering = new Promise<true>((resolve) => {
      enter = () => resolve(true);
    });
    this.#waiting.add(enter);
    if ((await within(entering, this.#queueMs)) === true) return;
    // It may have got a slot at the same moment.
    if (this.#waiting.delete(enter)) throw busy;
  }

  release(): void {
    for (const enter of this.#waiting) {
      this.#waiting.delete(enter);
      return enter();
    }
    this.#free += 1;
  }
}
