import type { RequestFacts } from "../model/context.js";

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
