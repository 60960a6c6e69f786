import { sql } from "kysely";
import { Gauge, type Registry } from "prom-client";

import type { Database } from "../database/schema.js";
import type { Networks } from "../network/networks.js";

/** Creates a metric for the age of the oldest pending relay on each network. */
export function measureRelays(
  registry: Registry,
  database: Database,
  networks: Networks,
): void {
  const age = new Gauge({
    name: "relays_oldest_pending_seconds",
    help: "Age of the oldest relay without a receipt.",
    labelNames: ["network"],
    registers: [registry],
    collect: async () => {
      const rows = await readAges(database).catch(() => []);
      age.reset();
      for (const { chainId, seconds } of rows) {
        const network = networks.find(String(chainId))?.handle;
        age.set({ network: network ?? String(chainId) }, Number(seconds));
      }
    },
  });
}

function readAges(database: Database) {
  return database
    .selectFrom("relays")
    .select([
      "chain_id as chainId",
      sql<string>`extract(epoch from now() - min(created_at))`.as("seconds"),
    ])
    .where("state", "=", "pending")
    .groupBy("chain_id")
    .execute();
}
