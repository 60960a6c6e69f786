import type { Logger } from "pino";

import type { Database } from "../database/schema.js";
import type { Networks } from "../network/networks.js";
import type { Outbound } from "../outbound/outbound.js";
import type { Settings } from "../settings/read-settings.js";

/** Dependencies of every part of the platform, created at startup. */
export interface Platform {
  readonly settings: Settings;
  readonly database: Database;
  readonly networks: Networks;
  /** The only client that may request third-party URLs. */
  readonly outbound: Outbound;
  /** The logger. Logs must not contain keys or bodies. */
  readonly log: Logger;
  /** Aborts when the platform stops. Removals of old rows then end early. */
  readonly stopping: AbortSignal;
}
