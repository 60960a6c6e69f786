import { sql } from "kysely";

import type { Database } from "../database/schema.js";
import type { Network } from "../network/networks.js";
import type { Contradiction } from "./evidence/reports.js";

/** What a node last reported and that cannot be true. */
export interface NodeFault {
  readonly chainId: number;
  /** The position of the node among the network's RPC URLs, from 0. */
  readonly node: number;
  readonly what: string;
  readonly reportedAt: Date;
}

/** Stores what a node has reported, instead of what it reported before. */
export async function storeNodeFault(
  database: Database,
  { chainId }: Pick<Network, "chainId">,
  { node, what }: Contradiction,
): Promise<void> {
  await database
    .insertInto("node_faults")
    .values({ chain_id: chainId, node, what })
    .onConflict((conflict) =>
      conflict
        .columns(["chain_id", "node"])
        .doUpdateSet({ what, reported_at: sql<Date>`now()` }),
    )
    .execute();
}

/** Reads what nodes have reported in the last seven days. */
export function readNodeFaults(
  database: Database,
): Promise<readonly NodeFault[]> {
  return database
    .selectFrom("node_faults")
    .select([
      "chain_id as chainId",
      "node",
      "what",
      "reported_at as reportedAt",
    ])
    .where("reported_at", ">", sql<Date>`now() - interval '7 days'`)
    .execute();
}
