import type {
  AccessKeyTable,
  PlatformTable,
  ProjectTable,
  RateLimitTable,
  SecretTable,
} from "./tables/keys.js";
import type {
  ChainAnswerTable,
  FollowedBlockTable,
  FollowedChainTable,
} from "./tables/follower.js";
import type { IdempotentAnswerTable } from "./tables/answers.js";
import type { DoneJobTable, JobTable } from "./tables/queue.js";
import type {
  RelayTable,
  RelayTransactionTable,
  RelayAccountCheckTable,
} from "./tables/relaying.js";
import type { LinkedWalletTable } from "./tables/api.js";
import type {
  OperatorActionTable,
  OperatorSessionTable,
  LoggedCallTable,
  ProjectCallTable,
} from "./tables/console.js";
import type { AudienceContactTable, AudienceTable } from "./tables/builder.js";
import type {
  WebhookListenerTable,
  BlockDeliveriesTable,
} from "./tables/indexer.js";
import type {
  ChangeTable,
  CollectibleTable,
  CollectionTable,
  OrderTable,
} from "./tables/marketplace.js";
import type {
  ContractInfoTable,
  MetadataRefreshTable,
  MetadataRefreshTokenTable,
  TokenMetadataTable,
} from "./tables/metadata.js";
import type {
  GasSponsorTable,
  GasTankFillTable,
  GasTankTable,
} from "./tables/relayer.js";

/**
 * All tables of the platform. Each part of the platform declares the rows of
 * its tables in `tables/<part>.ts` and creates them in a migration.
 */
export interface Tables {
  readonly platform: PlatformTable;
  readonly projects: ProjectTable;
  readonly access_keys: AccessKeyTable;
  readonly secrets: SecretTable;
  readonly rate_limits: RateLimitTable;
  readonly followed_chains: FollowedChainTable;
  readonly followed_blocks: FollowedBlockTable;
  readonly chain_answers: ChainAnswerTable;
  readonly jobs: JobTable;
  readonly done_jobs: DoneJobTable;
  readonly relays: RelayTable;
  readonly relay_transactions: RelayTransactionTable;
  readonly relay_account_checks: RelayAccountCheckTable;
  readonly idempotent_answers: IdempotentAnswerTable;
  readonly linked_wallets: LinkedWalletTable;
  readonly operator_sessions: OperatorSessionTable;
  readonly operator_actions: OperatorActionTable;
  readonly project_calls: ProjectCallTable;
  readonly logged_calls: LoggedCallTable;
  readonly audiences: AudienceTable;
  readonly audience_contacts: AudienceContactTable;
  readonly webhook_listeners: WebhookListenerTable;
  readonly block_deliveries: BlockDeliveriesTable;
  readonly marketplace_collections: CollectionTable;
  readonly marketplace_collectibles: CollectibleTable;
  readonly marketplace_orders: OrderTable;
  readonly marketplace_changes: ChangeTable;
  readonly contract_info: ContractInfoTable;
  readonly token_metadata: TokenMetadataTable;
  readonly metadata_refreshes: MetadataRefreshTable;
  readonly metadata_refresh_tokens: MetadataRefreshTokenTable;
  readonly gas_tanks: GasTankTable;
  readonly gas_sponsors: GasSponsorTable;
  readonly gas_tank_fills: GasTankFillTable;
}
