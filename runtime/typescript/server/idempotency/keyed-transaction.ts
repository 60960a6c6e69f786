import type { KeyedCall, KeyOutcome, StoredAnswer } from "./answer-store.js";
import { guardHandle } from "./guard-handle.js";
import { inTime } from "./in-time.js";
import type { PostgresConnection } from "./postgres-connection.js";

/**
 * Locks an ID, unless another call with it is running. Calls of earlier versions
 * have locked its former IDs, which calls of different callers can share.
 */
const lock = `SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AND (
  SELECT coalesce(bool_and(pg_try_advisory_xact_lock_shared(
    hashtextextended(former, 0))), true)
  FROM unnest(string_to_array($2, ' ')) AS former) AS ok`;

const find = `SELECT id, answer FROM idempotent_answers
WHERE id = ANY (string_to_array($1, ' ')) AND expires_at > now()`;

const save = `INSERT INTO idempotent_answers AS old (id, answer, expires_at)
VALUES ($1, $2, clock_timestamp() + $3::float8 * interval '1 millisecond')
ON CONFLICT (id) DO UPDATE
SET answer = excluded.answer, expires_at = excluded.expires_at
WHERE old.expires_at <= now()
RETURNING id`;

/** Removes two rows for each new one, so that the table stays small. */
const sweep = `DELETE FROM idempotent_answers WHERE id IN (
  SELECT id FROM idempotent_answers WHERE expires_at <= now()
  ORDER BY expires_at LIMIT 2 FOR UPDATE SKIP LOCKED)`;

/** Rolls back the transaction of a call that has no answer to keep. */
const undo = /* @__PURE__ */ new Error("the call failed");

/**
 * The transaction of a call, which waits for the answer. It ends at the latest
 * some time after the server's deadline, whatever the handler does. The client's
 * own deadline does not end it, because the handler can still be running.
 */
export class KeyedTransaction<Transaction> {
  readonly #connection: PostgresConnection<Transaction>;
  readonly #call: KeyedCall;
  /** When the transaction ends, on the clock of `performance.now()`. */
  readonly #endsAt: number;
  readonly #answer = openPromise<StoredAnswer | null>();
  readonly #begun = openPromise<Transaction>();
  /** Resolves when the handler has ended and no join is running. */
  readonly #idle = openPromise<null>();
  #outcome: Promise<KeyOutcome> | null = null;
  #running = 0;
  /** Why the changes of the handler are incomplete. */
  #fault: Error | null = null;
  /** Whether the handler has ended. */
  #isHandled = false;
  /** Whether the connection may be given back. */
  #isOver = false;

  /** Input: how long the transaction outlives that deadline, in milliseconds. */
  constructor(
    connection: PostgresConnection<Transaction>,
    call: KeyedCall,
    graceMs: number,
  ) {
    this.#connection = connection;
    this.#call = call;
    this.#endsAt = performance.now() + call.timeoutMs + graceMs;
  }

  /** Returns the outcome if the call is running or has an answer. */
  look(): Promise<KeyOutcome | null> {
    return this.#transact((_, query) => this.#find(query));
  }

  /** Like `look`, but leaves the transaction open if the call can run. */
  open(): Promise<KeyOutcome | null> {
    const outcome = this.#start();
    return this.#begun.promise.then(
      () => null,
      () => outcome,
    );
  }

  /**
   * Runs a part of the handler in the transaction.
   *
   * Errors: any error from `run` and from the connection; Error if the handler
   * or the transaction has ended, or if another call with the key has joined its
   * transaction first.
   */
  async join<Result>(
    run: (own: Transaction) => Promise<Result>,
  ): Promise<Result> {
    this.#requireHandling();
    this.#running += 1;
    let isJoined = true;
    try {
      this.#start();
      const own = await this.#begun.promise;
      this.#requireHandling();
      return await run(guardHandle(own, () => isJoined && !this.#isOver));
    } catch (error) {
      this.#fault ??= new Error("a part of the transaction has failed", {
        cause: error,
      });
      throw error;
    } finally {
      isJoined = false;
      this.#running -= 1;
      if (this.#running === 0 && this.#isHandled) this.#idle.resolve(null);
    }
  }

  /**
   * Commits the answer, or rolls back if there is none, once all joins that are
   * still running have ended.
   *
   * Errors: Error if the handler succeeded although a join has failed or was
   * still running.
   */
  async end(answer: StoredAnswer | null): Promise<KeyOutcome> {
    this.#isHandled = true;
    if (this.#running > 0) {
      this.#fault ??= new Error(
        "the handler has not waited for its transaction",
      );
    } else {
      this.#idle.resolve(null);
    }
    if (this.#outcome === null && answer === null) return { kind: "ran" };
    const isIncomplete = this.#fault !== null && answer?.isError === false;
    this.#answer.resolve(isIncomplete ? null : answer);
    const outcome = await this.#start();
    if (isIncomplete) throw this.#fault;
    return outcome;
  }

  #requireHandling(): void {
    if (!this.#isHandled && !this.#isOver) return;
    throw new Error("the call has ended, so its transaction cannot be joined");
  }

  #start(): Promise<KeyOutcome> {
    if (this.#outcome === null) {
      this.#outcome = this.#run();
      // A failure is reported by `end`, after the handler.
      this.#outcome.catch(() => undefined);
    }
    return this.#outcome;
  }

  async #run(): Promise<KeyOutcome> {
    try {
      return await this.#transact((own, query) => this.#work(own, query));
    } catch (error) {
      if (error === undo) return { kind: "ran" };
      // This does nothing if the transaction has begun.
      this.#begun.reject(error);
      throw error;
    }
  }

  /**
   * Runs a transaction that ends in time, also if a statement hangs. After that,
   * its statements fail.
   */
  #transact<Result>(
    run: (own: Transaction, query: Query) => Promise<Result>,
  ): Promise<Result> {
    const connection = this.#connection;
    return connection.transaction(async (own) => {
      let isOpen = true;
      const query: Query = async (text, ...parameters) => {
        if (!isOpen) throw undo;
        return connection.query(own, text, parameters);
      };
      try {
        return await inTime(this.#endsAt, () => run(own, query));
      } finally {
        isOpen = false;
        // After a look, the transaction of the call has not begun yet.
        this.#isOver = this.#outcome !== null;
      }
    }, this.#call.context);
  }

  async #work(own: Transaction, query: Query): Promise<KeyOutcome> {
    const { id, keepMs } = this.#call;
    const found = await this.#find(query);
    if (found !== null) {
      this.#begun.reject(new Error("another call with this key has run"));
      return found;
    }
    await query("SAVEPOINT handler");
    this.#begun.resolve(own);
    const answer = await this.#answer.promise;
    await this.#idle.promise;
    if (answer === null) throw undo;
    if (answer.isError) await query("ROLLBACK TO SAVEPOINT handler");
    const saved = await query(save, id, answer.text, keepMs);
    if (saved.length !== 1) throw new Error("the call has run elsewhere");
    await query(sweep);
    return { kind: "ran" };
  }

  async #find(query: Query): Promise<KeyOutcome | null> {
    const { formerIds = [], id } = this.#call;
    const [locked] = await query(lock, id, formerIds.join(" "));
    if (Object(locked).ok !== true) return { kind: "running" };
    // This statement sees what the previous holder of the lock committed.
    const [stored] = await query(find, [id, ...formerIds].join(" "));
    if (stored === undefined) return null;
    const { answer, id: storedId } = Object(stored);
    return { kind: "stored", text: String(answer), id: String(storedId) };
  }
}

/** Runs a statement of a transaction, and returns its rows. */
type Query = (
  text: string,
  ...parameters: readonly unknown[]
) => Promise<readonly unknown[]>;

/** A promise, and functions that settle it. */
interface OpenPromise<Value> {
  readonly promise: Promise<Value>;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: unknown) => void;
}

function openPromise<Value>(): OpenPromise<Value> {
  let resolve: OpenPromise<Value>["resolve"] = () => undefined;
  let reject: OpenPromise<Value>["reject"] = () => undefined;
  const promise = new Promise<Value>((...settle) => {
    [resolve, reject] = settle;
  });
  // Not every call joins its transaction.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}
