import { sql } from "kysely";
import { Gauge, type Registry } from "prom-client";

import type { Database } from "../database/schema.js";
import type { Networks } from "../network/networks.js";

/** Creates metrics for the progress of each follower. */
export function measureFollowers(
  registry: Registry,
  database: Database,
  networks: Networks,
): void {
  const labelNames = ["network", "follower"] as const;
  const incomplete = new Gauge({
    name: "follower_incomplete_blocks",
    help: "Blocks whose logs too few nodes return completely.",
    ...{ labelNames, registers: [registry] },
  });
  const remaining = new Gauge({
    name: "follower_remaining_blocks",
    help: "Blocks between a follower and the head that it last read.",
    ...{ labelNames, registers: [registry] },
    collect: async () => {
      const rows = await readProgress(database).catch(() => []);
      remaining.reset();
      incomplete.reset();
      for (const row of rows) {
        const { chainId, follower } = row;
        const network = networks.find(String(chainId))?.handle;
        const labels = { network: network ?? String(chainId), follower };
        incomplete.set(labels, row.incomplete);
        const { headNumber, nextNumber } = row;
        if (headNumber === null) continue;
        remaining.set(labels, Math.max(headNumber + 1 - nextNumber, 0));
      }
    },
  });
}

/** The progress of a follower on a chain. */
export interface FollowerProgress {
  readonly follower: string;
  readonly chainId: number;
  /** The first block that it processed, or null if it is unknown. */
  readonly firstNumber: number | null;
  readonly nextNumber: number;
  /** The head that it last read, or null if it has read none yet. */
  readonly headNumber: number | null;
  /** The number of stored blocks whose logs are incomplete. */
  readonly incomplete: number;
  /** Whether an instance follows the chain at the moment. */
  readonly isRunning: boolean;
}

/** Reads the progress of all followers. */
export async function readProgress(
  database: Database,
): Promise<readonly FollowerProgress[]> {
  const { rows } = await sql<FollowerProgress>`
    select chain.follower, chain.chain_id as "chainId",
      first_number as "firstNumber", next_number as "nextNumber",
      head_number as "headNumber", chain.held_until > now() as "isRunning",
      (select count(*)::int from followed_blocks as block
        where block.follower = chain.follower
        and block.chain_id = chain.chain_id and block.is_canonical
        and block.seen_logs is not null) as incomplete
    from followed_chains as chain
    order by chain.chain_id, chain.follower`.execute(database);
  return rows;
}
