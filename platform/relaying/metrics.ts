import { sql } from "kysely";
import { Gauge, type Registry } from "prom-client";

import type { Database } from "../database/schema.js";
import type { Networks } from "../network/networks.js";
import { readNodeFaults } from "../network/agreement/node-faults.js";

/** A number for each chain that has one. */
type Values = readonly { readonly chainId: number; readonly value: string }[];

/**
 * Creates metrics for relays and nodes, each of which has a value for each
 * network.
 */
export function measureRelays(
  registry: Registry,
  database: Database,
  networks: Networks,
): void {
  const measure = (name: string, help: string, read: () => Promise<Values>) => {
    const gauge: Gauge<"network"> = new Gauge({
      ...{ name, help, labelNames: ["network"], registers: [registry] },
      collect: async () => {
        const rows = await read().catch(() => []);
        gauge.reset();
        for (const { chainId, value } of rows) {
          const network = networks.find(String(chainId))?.handle;
          gauge.set({ network: network ?? String(chainId) }, Number(value));
        }
      },
    });
  };
  measure(
    "relays_oldest_pending_seconds",
    "Age of the oldest relay without a receipt.",
    () => readAges(database),
  );
  measure(
    "relay_filled_nonces",
    "Nonces of relaying accounts that the platform has paid for in 24 hours.",
    () => readFillers(database, sql`count(*)`),
  );
  measure(
    "relay_fillers_wei",
    "The most that the platform pays for these nonces.",
    () => readFillers(database, sql`sum(cost)`),
  );
  measure(
    "nodes_wrong",
    "Nodes that reported what cannot be true in the last ten minutes.",
    () => countWrongNodes(database, networks),
  );
}

function readAges(database: Database): Promise<Values> {
  return database
    .selectFrom("relays")
    .select([
      "chain_id as chainId",
      sql<string>`extract(epoch from now() - min(created_at))`.as("value"),
    ])
    .where("state", "=", "pending")
    .groupBy("chain_id")
    .execute();
}

/** Reads what counts toward the limits of fillers. */
async function readFillers(
  database: Database,
  value: ReturnType<typeof sql>,
): Promise<Values> {
  const { rows } = await sql<Values[number]>`
    select chain_id as "chainId", ${value} as value from (
      select chain_id, max(max_cost - coalesce(max_charge, 0)) as cost
      from relay_transactions
      where (relay_id is null or max_cost > max_charge)
        and created_at > now() - interval '1 day'
      group by chain_id, account, account_nonce
    ) as nonces
    group by chain_id`.execute(database);
  return rows;
}

async function countWrongNodes(
  database: Database,
  networks: Networks,
): Promise<Values> {
  const faults = await readNodeFaults(database, networks, 10);
  const chainIds = new Set(faults.map(({ chainId }) => chainId));
  return [...chainIds].map((chainId) => {
    const wrong = faults.filter((fault) => fault.chainId === chainId);
    return { chainId, value: String(wrong.length) };
  });
}
