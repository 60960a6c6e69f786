/**
 * Answers each call of a method with `@idempotencyKey` once: a repeated call
 * with the same key gets the answer of the first.
 */
export {
  idempotency,
  type IdempotencyOptions,
} from "./idempotency/answer-once.js";
export type {
  AnswerStore,
  KeyedCall,
  KeyOutcome,
  StoredAnswer,
} from "./idempotency/answer-store.js";
export { encryptAnswers } from "./idempotency/encrypt-answers.js";
export {
  memoryAnswers,
  type MemoryAnswersOptions,
} from "./idempotency/memory-answers.js";
export {
  pgConnection,
  type PgClient,
  type PgConnectionOptions,
  type PgPool,
} from "./idempotency/pg-connection.js";
export {
  answersTable,
  postgresAnswers,
  type PostgresAnswers,
  type PostgresAnswersOptions,
} from "./idempotency/postgres-answers.js";
export type { PostgresConnection } from "./idempotency/postgres-connection.js";
export type { PgQueryable } from "./idempotency/pg-queryable.js";
