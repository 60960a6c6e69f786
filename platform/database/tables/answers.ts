import type { GeneratedAlways } from "kysely";

/** Answers of calls with an idempotency key. */
export interface IdempotentAnswerTable {
  /** A hash of the key, the caller and the method. */
  readonly id: string;
  readonly answer: string;
  readonly expires_at: Date;
  /** In the order in which the answers were stored. */
  readonly number: GeneratedAlways<number>;
  /** Null for calls of operators. */
  readonly project_id: GeneratedAlways<number | null>;
}
