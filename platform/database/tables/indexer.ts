import type { ColumnType, Generated } from "kysely";
import type { Hash } from "viem";

import type {
  WebhookFilter,
  WebhookNotification,
} from "../../../generated/indexer/types.js";
import type { CreatedAt } from "./keys.js";

/** Tables of the Indexer service. */
export interface IndexerTables {
  readonly webhook_listeners: WebhookListenerTable;
  readonly webhook_notifications: WebhookNotificationTable;
}

/** Who wants to hear of what. */
export interface WebhookListenerTable {
  readonly id: Generated<number>;
  readonly project_id: number;
  readonly chain_id: number;
  readonly url: string;
  /** Written as JSON text. */
  readonly filters: ColumnType<WebhookFilter, string, never>;
  readonly name: Generated<string>;
  /** False once the receiver has answered 410. */
  active: Generated<boolean>;
  readonly created_at: CreatedAt;
  updated_at: Generated<Date>;
  deleted_at: Date | null;
}

/** What was told of the last blocks: gone with the block, or taken back. */
export interface WebhookNotificationTable {
  readonly id: Generated<number>;
  readonly follower: string;
  readonly chain_id: number;
  readonly block_hash: Hash;
  readonly listener_id: number;
  /** Written as JSON text. */
  readonly notification: ColumnType<WebhookNotification, string, never>;
}
