import type {
  Kysely,
  Selectable,
  Transaction as KyselyTransaction,
} from "kysely";

import type * as answers from "./tables/answers.js";
import type * as api from "./tables/api.js";
import type * as builder from "./tables/builder.js";
import type * as console from "./tables/console.js";
import type * as follower from "./tables/follower.js";
import type * as indexer from "./tables/indexer.js";
import type * as keys from "./tables/keys.js";
import type * as marketplace from "./tables/marketplace.js";
import type * as metadata from "./tables/metadata.js";
import type * as queue from "./tables/queue.js";
import type * as relayer from "./tables/relayer.js";
import type * as relaying from "./tables/relaying.js";

/**
 * All tables of the platform. Each part of the platform declares the rows of
 * its tables in `tables/<part>.ts` and creates them in a migration.
 */
export interface Tables {
  readonly platform: keys.PlatformTable;
  readonly projects: keys.ProjectTable;
  readonly access_keys: keys.AccessKeyTable;
  readonly secrets: keys.SecretTable;
  readonly rate_limits: keys.RateLimitTable;
  readonly followed_chains: follower.FollowedChainTable;
  readonly followed_blocks: follower.FollowedBlockTable;
  readonly jobs: queue.JobTable;
  readonly done_jobs: queue.DoneJobTable;
  readonly relays: relaying.RelayTable;
  readonly relay_transactions: relaying.RelayTransactionTable;
  readonly sponsor_spending: relaying.SponsorSpendingTable;
  readonly relay_account_checks: relaying.RelayAccountCheckTable;
  readonly wrong_nodes: relaying.WrongNodeTable;
  readonly idempotent_answers: answers.IdempotentAnswerTable;
  readonly linked_wallets: api.LinkedWalletTable;
  readonly operator_sessions: console.OperatorSessionTable;
  readonly operator_actions: console.OperatorActionTable;
  readonly project_calls: console.ProjectCallTable;
  readonly logged_calls: console.LoggedCallTable;
  readonly audiences: builder.AudienceTable;
  readonly audience_contacts: builder.AudienceContactTable;
  readonly webhook_listeners: indexer.WebhookListenerTable;
  readonly block_deliveries: indexer.BlockDeliveriesTable;
  readonly marketplace_collections: marketplace.CollectionTable;
  readonly marketplace_collectibles: marketplace.CollectibleTable;
  readonly marketplace_orders: marketplace.OrderTable;
  readonly marketplace_changes: marketplace.ChangeTable;
  readonly contract_info: metadata.ContractInfoTable;
  readonly token_metadata: metadata.TokenMetadataTable;
  readonly metadata_refreshes: metadata.MetadataRefreshTable;
  readonly metadata_refresh_tokens: metadata.MetadataRefreshTokenTable;
  readonly gas_tanks: relayer.GasTankTable;
  readonly gas_sponsors: relayer.GasSponsorTable;
  readonly gas_tank_fills: relayer.GasTankFillTable;
}

/** The platform's database, or a transaction in it. */
export type Database = Kysely<Tables>;

/** A transaction in the platform's database. */
export type Transaction = KyselyTransaction<Tables>;

/** A stored row of a table. */
export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>;
