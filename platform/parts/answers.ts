import {
  idempotency,
  type PostgresAnswers,
  postgresAnswers,
} from "@ridlkit/runtime/idempotency";
import type { Idempotency } from "@ridlkit/runtime/server";
import { CompiledQuery, sql } from "kysely";

import type { Database, Transaction } from "../database/schema.js";
import { projectKey } from "../keys/state.js";
import { asCaller, callerOfProject } from "../process/concurrency/caller.js";

/** Joins the transaction that stores the answer of a call with a key. */
export type Answers = PostgresAnswers<Transaction>;

/**
 * Keeps answers of calls with an idempotency key in the platform's database. A
 * transaction begins only when a handler joins it, because no transaction may
 * wait for a chain.
 */
export function createAnswers(database: Database): Answers {
  return postgresAnswers<Transaction>(
    {
      transaction: (run, context) => {
        const projectId = context.get(projectKey);
        const begin = () =>
          inTransaction(database, async (transaction) => {
            const hasKey = context.header("idempotency-key") !== null;
            if (hasKey && projectId !== undefined) {
              // The default of the column `project_id`.
              await sql`
                select set_config('platform.project', ${String(projectId)}, true)
              `.execute(transaction);
            }
            return run(transaction);
          });
        // The look-up of a key is no part of the handler.
        return projectId === undefined
          ? begin()
          : asCaller(callerOfProject(projectId), begin, () => context.signal);
      },
      query: async (transaction, text, parameters) => {
        const query = CompiledQuery.raw(text, [...parameters]);
        return (await transaction.executeQuery(query)).rows;
      },
    },
    { beginsOnJoin: true },
  );
}

/**
 * Runs a function in a transaction that refuses queries after its end, also of
 * builders that were created before.
 */
async function inTransaction<Result>(
  database: Database,
  run: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  const transaction = await database.startTransaction().execute();
  try {
    const result = await run(transaction);
    await transaction.commit().execute();
    return result;
  } catch (error) {
    if (!transaction.isCommitted && !transaction.isRolledBack)
      await transaction
        .rollback()
        .execute()
        .catch(() => undefined);
    throw error;
  }
}

/** Creates the option for servers whose handlers join the answers. */
export function answerOnce(answers: Answers): Idempotency {
  return idempotency(answers, {
    // The contract declares it with the status 400, but it is temporary.
    keepsError: (name) => name !== "Unavailable",
  });
}
