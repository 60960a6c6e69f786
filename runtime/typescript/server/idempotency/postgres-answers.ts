import { createKey } from "../../values/context-key.js";
import type { RequestFacts } from "../model/context.js";
import { requireNumber } from "../model/option-number.js";
import type { AnswerStore } from "./answer-store.js";
import { guardHandle } from "./guard-handle.js";
import { inTime } from "./in-time.js";
import { KeyedTransaction } from "./keyed-transaction.js";
import type { PostgresConnection } from "./postgres-connection.js";

/** Options for {@link postgresAnswers}. */
export interface PostgresAnswersOptions {
  /**
   * Whether the transaction of a call begins only when the handler joins it, so
   * that no transaction is open while a handler waits for something else. Until
   * then, calls with the same key can run at the same time. Only one of them can
   * join. Default: `false`.
   */
  readonly beginsOnJoin?: boolean;
  /**
   * How long the transaction of a call can outlive the server's `timeoutMs`, in
   * milliseconds. After that, it is rolled back and its connection is given back,
   * even if the handler is still running. Default: 5,000.
   */
  readonly graceMs?: number;
}

/** A store in PostgreSQL. */
export interface PostgresAnswers<Transaction> extends AnswerStore {
  /**
   * Runs a part of a handler in the transaction that also stores the answer, or,
   * in a call without a key, in a transaction of its own. The function must not
   * use its transaction after its promise has settled.
   *
   * Errors: any error from `run` and from the connection; Error if the handler
   * has ended or the call took too long. Handlers must not catch these errors or
   * return before `join` has: such a call fails, and its changes are undone.
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
  { beginsOnJoin = false, graceMs = 5000 }: PostgresAnswersOptions = {},
): PostgresAnswers<Transaction> {
  requireNumber("postgresAnswers.graceMs", graceMs, 0);
  const workKey = createKey<KeyedTransaction<Transaction>>("idempotency");
  return {
    join: (context, run) => {
      const work = context.get(workKey);
      if (work !== undefined) return work.join(run);
      const endsAt = performance.now() + context.remainingMs() + graceMs;
      return connection.transaction(
        (own) => runGuarded(own, endsAt, run),
        context,
      );
    },

    looksUpFormerIds: true,

    async once(call, run) {
      const work = new KeyedTransaction(connection, call, graceMs);
      const found = beginsOnJoin ? await work.look() : await work.open();
      if (found !== null) return found;
      call.context.set(workKey, work);
      return work.end(await run());
    },
  };
}

async function runGuarded<Transaction, Result>(
  own: Transaction,
  endsAt: number,
  run: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  let isOpen = true;
  try {
    return await inTime(endsAt, () => run(guardHandle(own, () => isOpen)));
  } finally {
    isOpen = false;
  }
}
