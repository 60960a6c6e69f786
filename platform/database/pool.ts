import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { Logger } from "pino";

import { answeringPool } from "./answering-pool.js";
import type { Tables } from "./schema.js";

/** Connections to the database. */
export interface DatabasePool {
  readonly database: Kysely<Tables>;
  /** How many connections there are, and who waits for one. */
  count(): {
    readonly total: number;
    readonly idle: number;
    readonly waiting: number;
  };
}

/** Object id of `int8`. */
const int8 = 20;

/** How the server notices that an instance is gone without a word. */
const serverKeepAlive =
  "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3";

/**
 * Opens a pool of connections. End it with `database.destroy()`.
 *
 * Numbers of 64 bits come as `number`, for all that are stored as such are
 * within what that holds; larger ones are stored as `numeric`, which comes as
 * text.
 *
 * Errors: queries fail with `Unavailable` when the database does not answer.
 */
export function openDatabase(url: string, log: Logger): DatabasePool {
  const pool = new pg.Pool({
    connectionString: url,
    max: 16,
    application_name: "ridlkit-platform",
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    options: serverKeepAlive,
    statement_timeout: 30_000,
    lock_timeout: 5000,
    // Of an instance that freezes in a transaction, and so holds its locks: less
    // than others wait for one. No transaction asks a chain or waits for a caller.
    idle_in_transaction_session_timeout: 3000,
    // For a connection of which the server does not even say that.
    query_timeout: 35_000,
    types: {
      getTypeParser: (type: number, format?: "text" | "binary") =>
        type === int8 ? toSafeNumber : pg.types.getTypeParser(type, format),
    },
  });
  // Nobody waits for an idle connection: without a listener its end is ours.
  pool.on("error", ({ message }) => {
    // The error itself has all of the connection with it.
    if (!pool.ending) log.warn({ reason: message }, "lost a connection");
  });
  const dialect = new PostgresDialect({ pool: answeringPool(pool, log) });
  return {
    database: new Kysely<Tables>({ dialect }),
    count: () => ({
      total: pool.totalCount,
      idle: pool.idleCount,
      waiting: pool.waitingCount,
    }),
  };
}

function toSafeNumber(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number)) return number;
  throw new RangeError(`${text} is no safe integer`);
}
