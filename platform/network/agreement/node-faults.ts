import { createHash } from "node:crypto";

import { sql } from "kysely";

import type { Database } from "../../database/schema.js";
import type { Network, Networks } from "../networks.js";
import type { Contradiction } from "./contradiction.js";

/** What a node last reported and that cannot be true. */
export interface NodeFault {
  readonly chainId: number;
  /** The current position of the node among the network's RPC URLs, from 0. */
  readonly node: number;
  readonly what: string;
  readonly reportedAt: Date;
}

/** Stores what a node has reported, instead of what it reported before. */
export async function storeNodeFault(
  database: Database,
  { chainId, rpcUrls }: Pick<Network, "chainId" | "rpcUrls">,
  { node, what }: Contradiction,
): Promise<void> {
  const url = rpcUrls[node];
  if (url === undefined) return;
  await database
    .insertInto("wrong_nodes")
    .values({ chain_id: chainId, url_hash: hashUrl(url), what })
    .onConflict((conflict) =>
      conflict
        .columns(["chain_id", "url_hash"])
        .doUpdateSet({ what, reported_at: sql<Date>`now()` }),
    )
    .execute();
}

/** Reads what the nodes in the settings have reported in the last minutes. */
export async function readNodeFaults(
  database: Database,
  { all }: Pick<Networks, "all">,
  minutes: number,
): Promise<readonly NodeFault[]> {
  const rows = await database
    .selectFrom("wrong_nodes")
    .selectAll()
    .where(sql<boolean>`chain_id = any(${all.map(({ chainId }) => chainId)})`)
    .where(
      "reported_at",
      ">",
      sql<Date>`now() - ${minutes} * interval '1 minute'`,
    )
    .execute();
  return all.flatMap(({ chainId, rpcUrls }) =>
    rpcUrls.flatMap((url, node) => {
      const hash = hashUrl(url);
      const row = rows.find(
        (each) => each.chain_id === chainId && each.url_hash === hash,
      );
      return row === undefined
        ? []
        : [{ chainId, node, what: row.what, reportedAt: row.reported_at }];
    }),
  );
}

/** Identifies a node without revealing its URL, which can contain a key. */
function hashUrl(url: string): string {
  return createHash("sha256").update(new URL(url).href).digest("hex");
}
