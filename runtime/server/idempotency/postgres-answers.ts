import { createKey } from "../../values/context-key.js";
import type { RequestFacts } from "../model/context.js";
import type {
  AnswerStore,
  KeyedCall,
  KeyOutcome,
  StoredAnswer,
} from "./answer-store.js";

/** How {@link postgresAnswers} uses a database. */
export interface PostgresConnection<Transaction> {
  /**
   * Runs a function in a transaction on one connection. Commits if the function
   * resolves, and rolls back if it rejects. Returns the function's result.
   *
   * Input: the context of the request, e.g. for settings of the transaction.
   */
  transaction<Result>(
    run: (transaction: Transaction) => Promise<Result>,
    context: RequestFacts,
  ): Promise<Result>;
  /** Runs a statement with the parameters `$1`, `$2`, … and returns its rows. */
  query(
    transaction: Transaction,
    text: string,
    parameters: readonly unknown[],
  ): Promise<readonly unknown[]>;
}

/** Options for {@link postgresAnswers}. */
export interface PostgresAnswersOptions {
  /**
   * Whether the transaction of a call begins only when the handler joins it, so
   * that no transaction is open while a handler waits for something else. Until
   * then, calls with the same key can run at the same time. Only one of them can
   * join. Default: `false`.
   */
  readonly beginsOnJoin?: boolean;
}

/** A store in PostgreSQL. */
export interface PostgresAnswers<Transaction> extends AnswerStore {
  /**
   * Runs a part of a handler in the transaction that also stores the answer, or,
   * in a call without a key, in a transaction of its own.
   *
   * Errors: any error from `run` and from the connection. Handlers must not
   * catch them, because a failed transaction cannot be continued.
   */
  join<Result>(
    context: RequestFacts,
    run: (transaction: Transaction) => Promise<Result>,
  ): Promise<Result>;
}

/** Creates the table of {@link postgresAnswers}. */
export const answersTable = `CREATE TABLE idempotent_answers (
  id text PRIMARY KEY,
  answer text NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX idempotent_answers_expiry ON idempotent_answers (expires_at);`;

const lock = "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS ok";

const find =
  "SELECT answer FROM idempotent_answers WHERE id = $1 AND expires_at > now()";

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

/**
 * Keeps answers in the table that {@link answersTable} creates. A call runs in a
 * transaction, which is committed together with its answer. If the handler joins
 * this transaction, its changes are made exactly once, even if the process ends
 * before it responds. They are rolled back if the handler throws.
 *
 * Each call with a key occupies a connection while its handler runs or, with
 * `beginsOnJoin`, from when it joins.
 */
export function postgresAnswers<Transaction>(
  connection: PostgresConnection<Transaction>,
  { beginsOnJoin = false }: PostgresAnswersOptions = {},
): PostgresAnswers<Transaction> {
  const begin = createKey<() => Promise<Transaction>>("idempotency begin");
  return {
    join: async (context, run) => {
      const own = await context.get(begin)?.();
      return own === undefined
        ? connection.transaction(run, context)
        : run(own);
    },

    async once(call, run) {
      const { context } = call;
      const work = new KeyedTransaction(connection, call);
      const found = beginsOnJoin ? await work.look() : await work.open();
      if (found !== null) return found;
      context.set(begin, () => work.begin());
      return work.end(await run());
    },
  };
}

/** Rolls back the transaction of a call that has no answer to keep. */
const undo = /* @__PURE__ */ new Error("the call failed");

/** The transaction of a call, which waits for the answer. */
class KeyedTransaction<Transaction> {
  readonly #connection: PostgresConnection<Transaction>;
  readonly #call: KeyedCall;
  readonly #answer = openPromise<StoredAnswer | null>();
  readonly #begun = openPromise<Transaction>();
  #outcome: Promise<KeyOutcome> | null = null;

  constructor(connection: PostgresConnection<Transaction>, call: KeyedCall) {
    this.#connection = connection;
    this.#call = call;
  }

  /** Returns the outcome if the call is running or has an answer. */
  look(): Promise<KeyOutcome | null> {
    return this.#connection.transaction(
      (own) => this.#find(own),
      this.#call.context,
    );
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
   * Returns the transaction.
   *
   * Errors: Error if another call with the key has joined its transaction first.
   */
  begin(): Promise<Transaction> {
    this.#start();
    return this.#begun.promise;
  }

  /** Commits the answer, or rolls back if there is none. */
  end(answer: StoredAnswer | null): Promise<KeyOutcome> {
    this.#answer.resolve(answer);
    const isIdle = this.#outcome === null && answer === null;
    return isIdle ? Promise.resolve({ kind: "ran" }) : this.#start();
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
    const run = (own: Transaction): Promise<KeyOutcome> => this.#work(own);
    try {
      return await this.#connection.transaction(run, this.#call.context);
    } catch (error) {
      if (error === undo) return { kind: "ran" };
      // This does nothing if the transaction has begun.
      this.#begun.reject(error);
      throw error;
    }
  }

  async #work(own: Transaction): Promise<KeyOutcome> {
    const { id, keepMs } = this.#call;
    const found = await this.#find(own);
    if (found !== null) {
      this.#begun.reject(new Error("another call with this key has run"));
      return found;
    }
    await this.#query(own, "SAVEPOINT handler");
    this.#begun.resolve(own);
    const answer = await this.#answer.promise;
    if (answer === null) throw undo;
    if (answer.isError) {
      await this.#query(own, "ROLLBACK TO SAVEPOINT handler");
    }
    const saved = await this.#query(own, save, id, answer.text, keepMs);
    if (saved.length !== 1) throw new Error("the call has run elsewhere");
    await this.#query(own, sweep);
    return { kind: "ran" };
  }

  async #find(own: Transaction): Promise<KeyOutcome | null> {
    const { id } = this.#call;
    const [locked] = await this.#query(own, lock, id);
    if (Object(locked).ok !== true) return { kind: "running" };
    // This statement sees what the previous holder of the lock committed.
    const [stored] = await this.#query(own, find, id);
    if (stored === undefined) return null;
    return { kind: "stored", text: String(Object(stored).answer) };
  }

  #query(
    own: Transaction,
    text: string,
    ...parameters: readonly unknown[]
  ): Promise<readonly unknown[]> {
    return this.#connection.query(own, text, parameters);
  }
}

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
