/**
 * Keeps the last items of streams, so that clients can resume (`@resume`) on any
 * instance of a server.
 */
export {
  streamLog,
  type StreamLog,
  type StreamLogOptions,
} from "./log/stream-log.js";
export type { SubscribeOptions } from "./log/subscribe-options.js";
export type {
  ItemPage,
  ItemStore,
  KeepOptions,
  StoredItem,
} from "./log/item-store.js";
export { memoryItems, type MemoryItemsOptions } from "./log/memory-items.js";
export {
  pgItems,
  type PgItemsOptions,
  type PgListener,
} from "./log/pg-items.js";
export type { PgQueryable } from "./idempotency/pg-queryable.js";
export {
  itemsTables,
  postgresItems,
  type PostgresItems,
  type PostgresItemsOptions,
} from "./log/postgres-items.js";
