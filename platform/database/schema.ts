import type { FollowerTables } from "../follower/tables.js";
import type { KeyTables } from "../keys/tables.js";
import type { QueueTables } from "../queue/tables.js";
import type { RelayTables } from "../relaying/tables.js";
import type { ApiTables } from "../services/api/tables.js";
import type { BuilderTables } from "../services/builder/tables.js";
import type { IndexerTables } from "../services/indexer/tables.js";
import type { MarketplaceTables } from "../services/marketplace/tables.js";
import type { MetadataTables } from "../services/metadata/tables.js";
import type { RelayerTables } from "../services/relayer/tables.js";

/**
 * All tables of the platform. Each service declares its own in
 * `services/<name>/tables.ts` and makes them in a migration.
 */
export interface Tables
  extends
    KeyTables,
    FollowerTables,
    QueueTables,
    ApiTables,
    BuilderTables,
    IndexerTables,
    RelayerTables,
    RelayTables,
    MarketplaceTables,
    MetadataTables {}
