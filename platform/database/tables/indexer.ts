import type { ColumnType, Generated } from "kysely";

import type { WebhookFilter } from "../../../generated/indexer/types.js";
import type { CreatedAt } from "./keys.js";

/** Webhook listeners. */
export interface WebhookListenerTable {
  readonly id: Generated<number>;
  readonly project_id: number;
  readonly chain_id: number;
  url: string;
  /** The filters, stored as JSON text. */
  filters: ColumnType<WebhookFilter, string, string>;
  readonly name: Generated<string>;
  /** False after the receiver has responded with 410. */
  active: Generated<boolean>;
  /** Why some events of recent blocks were not sent, or null. */
  set_aside_reason: Generated<string | null>;
  /** The block after the last one that the reason covers. */
  set_aside_until: Generated<number | null>;
  /** The number of logs that were too large to be compared with the listener. */
  skipped_logs: Generated<number>;
  /** Which logs were skipped last, or null. */
  skipped_reason: Generated<string | null>;
  readonly created_at: CreatedAt;
  updated_at: Generated<Date>;
  deleted_at: Date | null;
}

/**
 * The deliveries about blocks that are not final, stored so that they can be
 * retracted. Their jobs contain the notifications.
 */
export interface BlockDeliveriesTable {
  readonly id: Generated<number>;
  readonly follower: string;
  readonly chain_id: number;
  readonly block_hash: string;
  /** The keys of the jobs, stored as JSON text. */
  readonly keys: ColumnType<readonly string[], string, never>;
}
