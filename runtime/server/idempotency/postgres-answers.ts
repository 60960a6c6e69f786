import { type ContextKey, createKey } from "../../values/context-key.js";
import type { AnswerStore } from "./answer-store.js";

/** How {@link postgresAnswers} uses a database. */
export interface PostgresConnection<Transaction> {
  /**
   * Runs a function in a transaction on one connection. Commits if the function
   * resolves, and rolls back if it rejects.
   */
  transaction(run: (transaction: Transaction) => Promise<void>): Promise<void>;
  /** Runs a statement with the parameters `$1`, `$2`, … and returns its rows. */
  query(
    transaction: Transaction,
    text: string,
    parameters: readonly unknown[],
  ): Promise<readonly unknown[]>;
}

/** A store in PostgreSQL. */
export interface PostgresAnswers<Transaction> extends AnswerStore {
  /**
   * The transaction that also stores the answer, for handlers:
   * `context.get(answers.transaction)`. Undefined in calls without a key.
   */
  readonly transaction: ContextKey<Transaction>;
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
 * transaction, which is committed together with its answer. If the handler uses
 * this transaction, its changes are made exactly once, even if the process ends
 * before it responds. They are rolled back if the handler throws.
 *
 * Each call with a key occupies a connection while its handler runs.
 */
export function postgresAnswers<Transaction>(
  connection: PostgresConnection<Transaction>,
): PostgresAnswers<Transaction> {
  const transaction = createKey<Transaction>("idempotency transaction");
  return {
    transaction,
    async once({ context, id, keepMs }, run) {
      let text: string | null = null;
      let isRunning = false;
      const undo = new Error("the call failed, so its changes are rolled back");
      const work = async (own: Transaction): Promise<void> => {
        const query = (
          statement: string,
          ...parameters: readonly unknown[]
        ): Promise<readonly unknown[]> =>
          connection.query(own, statement, parameters);
        const [locked] = await query(lock, id);
        isRunning = Object(locked).ok !== true;
        if (isRunning) return;
        // This statement sees what the previous holder of the lock committed.
        const [stored] = await query(find, id);
        if (stored !== undefined) {
          text = String(Object(stored).answer);
          return;
        }
        context.set(transaction, own);
        await query("SAVEPOINT handler");
        const answer = await run();
        if (answer === null) throw undo;
        if (answer.isError) await query("ROLLBACK TO SAVEPOINT handler");
        const saved = await query(save, id, answer.text, keepMs);
        if (saved.length !== 1) throw new Error("the call has run elsewhere");
        await query(sweep);
      };
      try {
        await connection.transaction(work);
      } catch (error) {
        if (error !== undo) throw error;
      }
      if (isRunning) return { kind: "running" };
      return text === null ? { kind: "ran" } : { kind: "stored", text };
    },
  };
}
