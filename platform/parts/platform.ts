import type { Kysely } from "kysely";
import type { Logger } from "pino";

import type { Tables } from "../database/schema.js";
import type { Networks } from "../network/networks.js";
import type { Outbound } from "../outbound/outbound.js";
import type { Settings } from "../settings/settings.js";

/** What every part of the platform works with, put together at the start. */
export interface Platform {
  readonly settings: Settings;
  readonly database: Kysely<Tables>;
  readonly networks: Networks;
  /** The only way to hosts that others name. */
  readonly outbound: Outbound;
  /** Nothing secret goes in here: no keys, no bodies. */
  readonly log: Logger;
}
