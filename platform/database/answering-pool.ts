import type { PostgresPool, PostgresPoolClient } from "kysely";
import pg from "pg";
import type { Logger } from "pino";
import { builtInErrors, RpcError } from "@ridlkit/runtime/errors";

import { UnavailableError } from "../../generated/errors.js";
import { type Circuit, createCircuit } from "../process/circuit.js";

/**
 * The same pool, which keeps a database that does not answer apart from one
 * that says no, for all who ask it. The log hears when it goes and when it is
 * back; callers learn nothing of where it is.
 *
 * Errors: `Unavailable` when the database does not answer, has fallen silent or
 * is held up, `WebrpcRequestFailed` with 503 when its connections are all in use
 * for too long; those of pg otherwise.
 */
export function answeringPool(pool: pg.Pool, log: Logger): PostgresPool {
  // Lost while nobody asks it anything, even as it is just being handed out, a
  // connection tells nobody else; unheard it would end us.
  pool.on("connect", (client) => client.on("error", () => {}));
  let isThere = true;
  const lose = (error: unknown): UnavailableError => {
    const reason = error instanceof Error ? error.message : String(error);
    if (isThere) log.error({ reason }, "the database does not answer");
    isThere = false;
    return new UnavailableError({ cause: "the database does not answer" });
  };
  const find = (): void => {
    if (!isThere) log.warn("the database answers again");
    isThere = true;
  };
  const circuit = createCircuit({
    probe: () => connectOnce(pool.options),
    refuse: () => lose("it has fallen silent"),
  });
  return {
    end: () => pool.end(),
    connect: async () => {
      const connecting = pool.connect();
      const client = await circuit
        .run(() => connecting)
        .catch((error: unknown) => {
          // Nobody waits for it any more, should it still come.
          connecting.then((late) => late.release(true)).catch(() => undefined);
          if (error instanceof UnavailableError) throw error;
          throw isFull(error) ? tooBusy() : lose(error);
        });
      return watchClient(client, circuit, lose, find);
    },
  };
}

/** Connects apart from the pool, whose connections may all be in use. */
async function connectOnce(options: pg.PoolOptions): Promise<void> {
  const client = new pg.Client(options);
  client.on("error", () => undefined);
  await client.connect().finally(() => client.end());
}

function watchClient(
  client: pg.PoolClient,
  circuit: Circuit,
  lose: (error: unknown) => UnavailableError,
  find: () => void,
): PostgresPoolClient {
  let isLost = false;
  const query = async (...words: readonly unknown[]): Promise<unknown> => {
    try {
      const result: unknown = await circuit.run(() =>
        Reflect.apply(client.query, client, words),
      );
      find();
      return result;
    } catch (error) {
      isLost = true;
      if (error instanceof UnavailableError) throw error;
      if (isCancelled(error)) throw heldUp();
      if (isNoAnswer(error)) throw lose(error);
      isLost = false;
      throw error;
    }
  };
  return {
    // Nobody here reads by cursors, of which its other form is.
    query: query as PostgresPoolClient["query"],
    release: () => client.release(isLost),
  };
}

/** What pg says when it has waited in vain for one of its own connections. */
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

/**
 * SQLSTATE of what the database ends by itself: it waited for a lock or ran for
 * too long, its transaction was idle for too long, others waited for it.
 */
const cancelledStates = ["55P03", "57014", "25P03", "40P01"];

function isCancelled(error: unknown): boolean {
  const code = error instanceof pg.DatabaseError ? error.code : undefined;
  return code !== undefined && cancelledStates.includes(code);
}

function heldUp(): UnavailableError {
  return new UnavailableError({ cause: "others hold up what was asked for" });
}

/**
 * Classes of SQLSTATE: the connection is gone, resources are used up, the server
 * is shutting down or not ready yet.
 */
const noAnswerState = /^(?:08|53|57P)/u;

/** What pg says of a connection that is gone; it has no codes for it. */
const noAnswerText =
  /^(?:Connection terminated|Client (?:has|was)|Query read timeout)/u;

/** Whether pg says that the database does not answer, or not yet. */
export function isNoAnswer(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof pg.DatabaseError) {
    return noAnswerState.test(error.code ?? "");
  }
  // Those of the operating system name what it was asked for.
  return "syscall" in error || noAnswerText.test(error.message);
}
