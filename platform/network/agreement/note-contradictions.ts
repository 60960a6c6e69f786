import type { Logger } from "pino";

import type { Database } from "../../database/schema.js";
import type { Network } from "../networks.js";
import type { Contradiction } from "./contradiction.js";
import { storeNodeFault } from "./node-faults.js";

/** When each node's last contradiction was logged, in milliseconds. */
const notedAt = new Map<string, number>();

/**
 * Logs and stores what nodes report and what cannot be true, for each node once a
 * minute.
 */
export async function noteContradictions(
  {
    database,
    log,
  }: { readonly database: Database; readonly log: Pick<Logger, "error"> },
  network: Pick<Network, "chainId" | "handle" | "rpcUrls">,
  contradictions: readonly Contradiction[],
): Promise<void> {
  const { handle } = network;
  for (const contradiction of contradictions) {
    const { node, what } = contradiction;
    const key = `${handle} ${node}`;
    const now = performance.now();
    if (now - (notedAt.get(key) ?? -Infinity) < 60_000) continue;
    notedAt.set(key, now);
    log.error({ network: handle, rpcUrl: node + 1, what }, "a node is wrong");
    await storeNodeFault(database, network, contradiction);
  }
}
