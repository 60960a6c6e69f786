import type { PostgresPool, PostgresPoolClient } from "kysely";
import pg from "pg";
import type { Logger } from "pino";
import { builtInErrors, RpcError } from "@ridlkit/runtime/errors";

import { UnavailableError } from "../../generated/errors.js";
import { type Circuit, createCircuit } from "../process/concurrency/circuit.js";
import { rowsAtOnce } from "./pieces.js";
import { nameOfPrepared } from "./prepared.js";
import { readOnlyState, requireWritable } from "./require-writable.js";
import { shareConnections } from "./share-connections.js";
import { withClient } from "./with-client.js";

/**
 * Wraps a pool so that callers can distinguish a database that does not respond
 * from one that reports an error. Logs when the database becomes unavailable
 * and when it recovers. Also logs queries that return too many rows at once,
 * which `readInPieces` avoids. Errors do not reveal the database's address.
 *
 * Errors: `Unavailable` if the database does not respond, stops responding, is
 * read-only, or cancels a query, e.g. because of locks, or its disk is full;
 * `WebrpcRequestFailed` with 503 if all connections are in use for too long;
 * otherwise pg's errors.
 */
export function monitoredPool(pool: pg.Pool, log: Logger): PostgresPool {
  // If an idle connection is lost, it emits an error event. Without a listener,
  // the event would end the process.
  pool.on("connect", (client) => client.on("error", () => {}));
  const connections = trackFailOver(pool);
  let isThere = true;
  const lose = (error: unknown): UnavailableError => {
    const reason = error instanceof Error ? error.message : String(error);
    if (stateOf(error) === readOnlyState) connections.leaveServer();
    if (isThere) log.error({ reason }, "the database does not respond");
    isThere = false;
    return new UnavailableError({ cause: "the database does not respond" });
  };
  const find = (): void => {
    if (!isThere) log.warn("the database responds again");
    isThere = true;
  };
  let warnAgainAt = 0;
  const noteFull = (error: pg.DatabaseError): UnavailableError => {
    // Queries that only read still succeed, so this is not an outage.
    if (performance.now() >= warnAgainAt) {
      log.error({ reason: error.message }, "the database's disk is full");
      warnAgainAt = performance.now() + fullPauseMs;
    }
    return new UnavailableError({ cause: "the database's disk is full" });
  };
  const noteRows = (text: string, result: QueryResults): void => {
    const query = text.slice(0, 500);
    for (const { rows } of [result].flat()) {
      if (rows.length <= rowsAtOnce) continue;
      log.warn({ query, rows: rows.length }, "a query returned too many rows");
    }
  };
  const circuit = createCircuit({
    // Connect outside the pool, because all of its connections may be in use.
    probe: () => withClient(pool.options, requireWritable),
    refuse: () => lose("it stopped responding"),
  });
  const connect = async (): Promise<PostgresPoolClient> => {
    const connecting = connections.connect();
    const client = await circuit
      .run(() => connecting)
      .catch((error: unknown) => {
        // If the connection opens later, close it, because the caller has
        // stopped waiting.
        connecting.then((late) => late.release(true)).catch(() => undefined);
        if (error instanceof UnavailableError) throw error;
        throw isFull(error) ? tooBusy() : lose(error);
      });
    return watchClient(client, circuit, { lose, find, noteFull, noteRows });
  };
  const waitMs = pool.options.connectionTimeoutMillis ?? 5000;
  return {
    end: () => pool.end(),
    connect: shareConnections(connect, {
      ...{ ...connectionsOfCalls, waitMs, refuse: tooBusy },
    }),
  };
}

/** The shares of the 16 connections of a pool. */
const connectionsOfCalls = { ofCalls: 12, ofCaller: 3 };

/** Replaces the connections to a server that has become read-only. */
function trackFailOver(pool: pg.Pool): {
  connect(): Promise<pg.PoolClient>;
  /** Stops using the connections that are open now, because they may be stale. */
  leaveServer(): void;
} {
  let generation = 0;
  const generations = new WeakMap<pg.PoolClient, number>();
  pool.on("connect", (client) => generations.set(client, generation));
  return {
    connect: async () => {
      for (;;) {
        const client = await pool.connect();
        if (generations.get(client) === generation) return client;
        client.release(true);
      }
    },
    leaveServer: () => {
      generation += 1;
    },
  };
}

/** The result of a query, or those of several in one text. */
type QueryResults = pg.QueryResult | readonly pg.QueryResult[];

/** Record what queries show about the database. */
interface Notes {
  readonly find: () => void;
  readonly lose: (error: unknown) => UnavailableError;
  readonly noteFull: (error: pg.DatabaseError) => UnavailableError;
  readonly noteRows: (text: string, result: QueryResults) => void;
}

function watchClient(
  client: pg.PoolClient,
  circuit: Circuit,
  { find, lose, noteFull, noteRows }: Notes,
): PostgresPoolClient {
  let isLost = false;
  const query = async (text: string, values: unknown[]): Promise<unknown> => {
    try {
      const name = nameOfPrepared(text);
      const result = await circuit.run(() =>
        client.query({ name, text, values }),
      );
      find();
      noteRows(text, result);
      return result;
    } catch (error) {
      isLost = true;
      if (error instanceof UnavailableError) throw error;
      if (isCancelled(error)) throw timeoutError();
      if (isUnresponsive(error) && !isDiskFull(error)) throw lose(error);
      isLost = false;
      if (isDiskFull(error)) throw noteFull(error);
      throw error;
    }
  };
  return {
    // `query` also accepts cursors, but the pool is never used with them.
    query: query as PostgresPoolClient["query"],
    release: () => client.release(isLost),
  };
}

/** The message of pg if no connection became available in time. */
const fullText = "timeout exceeded when trying to connect";

function isFull(error: unknown): boolean {
  return error instanceof Error && error.message === fullText;
}

function tooBusy(): RpcError {
  return new RpcError(
    { ...builtInErrors.WebrpcRequestFailed, status: 503 },
    { cause: "too many requests at once" },
  );
}

/** The SQLSTATE code for a full disk. */
const diskFull = "53100";

/** How often a full disk is reported in the log. */
const fullPauseMs = 60_000;

function isDiskFull(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError && error.code === diskFull;
}

/**
 * SQLSTATE codes of work that the database itself cancels: a lock timeout, a
 * statement timeout, an idle transaction, and a deadlock.
 */
const cancelledStates = ["55P03", "57014", "25P03", "40P01"];

function isCancelled(error: unknown): boolean {
  return cancelledStates.includes(stateOf(error));
}

/** Returns the SQLSTATE code of an error, or "" if it has none. */
function stateOf(error: unknown): string {
  return error instanceof pg.DatabaseError ? (error.code ?? "") : "";
}

function timeoutError(): UnavailableError {
  return new UnavailableError({ cause: "other queries block the request" });
}

/**
 * SQLSTATE classes for lost connections, exhausted resources, and a server that
 * is shutting down or starting, and the code of a read-only server.
 */
const noAnswerState = new RegExp(`^(?:08|53|57P|${readOnlyState})`, "u");

/** pg's messages for lost connections and timeouts, which have no codes. */
const noAnswerText =
  /^(?:Connection terminated|Client (?:has|was)|Query read timeout)/u;

/**
 * Returns whether an error means that the database is not responding or not
 * ready yet.
 */
export function isUnresponsive(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError) {
    return noAnswerState.test(stateOf(error));
  }
  // Operating system errors name the failed system call.
  return "syscall" in error || noAnswerText.test(error.message);
}
