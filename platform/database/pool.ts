import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { Logger } from "pino";

import { monitoredPool } from "./monitored-pool.js";
import { verifyWritable } from "./require-writable.js";
import type { Database, Tables } from "./schema.js";

/** Connections to the database. */
export interface DatabasePool {
  readonly database: Database;
  /** The number of connections, and the number of callers waiting for one. */
  count(): {
    readonly total: number;
    readonly idle: number;
    readonly waiting: number;
  };
}

/** Object ID of `int8`. */
const int8 = 20;

/** Keep-alive settings that let the server detect a lost instance. */
const serverKeepAlive =
  "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3";

/**
 * Opens a pool of connections. Close it with `database.destroy()`.
 *
 * 64-bit integers are returned as `number`, because all of them are safe
 * integers. Larger numbers are stored as `numeric`, which is returned as a
 * string.
 *
 * Errors: queries fail with `Unavailable` if the database does not respond.
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
    // If an instance freezes in a transaction, this releases its locks before
    // other instances time out. No transaction waits for a chain or a caller.
    idle_in_transaction_session_timeout: 3000,
    // This applies if the server does not even report its own timeouts.
    query_timeout: 35_000,
    verify: verifyWritable,
    types: {
      getTypeParser: (type: number, format?: "text" | "binary") =>
        type === int8 ? toSafeNumber : pg.types.getTypeParser(type, format),
    },
  });
  // Without a listener, an idle connection's error event would end the process.
  pool.on("error", ({ message }) => {
    // Do not log the error object, because it contains the whole connection.
    if (!pool.ending) log.warn({ reason: message }, "lost a connection");
  });
  const dialect = new PostgresDialect({ pool: monitoredPool(pool, log) });
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
  throw new RangeError(`${text} is not a safe integer`);
}
