import type { FollowerTables } from "./tables/follower.js";
import type { KeyTables } from "./tables/keys.js";
import type { QueueTables } from "./tables/queue.js";
import type { RelayTables } from "./tables/relaying.js";
import type { ApiTables } from "./tables/api.js";
import type { ConsoleTables } from "./tables/console.js";
import type { BuilderTables } from "./tables/builder.js";
import type { IndexerTables } from "./tables/indexer.js";
import type { MarketplaceTables } from "./tables/marketplace.js";
import type { MetadataTables } from "./tables/metadata.js";
import type { RelayerTables } from "./tables/relayer.js";

/**
 * All tables of the platform. Each part of the platform declares its tables in
 * `tables/<part>.ts` and creates them in a migration.
 */
export interface Tables
  extends
    KeyTables,
    FollowerTables,
    QueueTables,
    ApiTables,
    ConsoleTables,
    BuilderTables,
    IndexerTables,
    RelayerTables,
    RelayTables,
    MarketplaceTables,
    MetadataTables {}
