import { type RawBuilder, sql } from "kysely";

import type { Database } from "../../database/schema.js";
import { findFollowedChains, forgetChain } from "../../follower/progress.js";
import type { Network } from "../../network/networks.js";
import type { Platform } from "../../parts/platform.js";
import { createFailureLog } from "../../process/failures/failure-log.js";
import type { Stoppable } from "../../process/lifecycle/keep-running.js";
import { repeatUntilStopped } from "../../process/lifecycle/repeat-until-stopped.js";
import { indexerFollower } from "./index-blocks.js";

/** The interval between checks for chains to follow. */
const checkIntervalMs = 500;

/** Options for following chains with listeners. */
export interface FollowListenersOptions {
  /** How long a chain is still followed after its last listener has ended. */
  readonly idleMs: number;
  readonly follow: (network: Network) => Stoppable;
}

/** A chain that is being followed. */
interface Following {
  readonly follower: Stoppable;
  /** When it last had a listener, as measured by `performance.now()`. */
  neededAt: number;
}

/**
 * Follows the embedded chain, and every other chain while it has listeners.
 * Forgets the position on a chain without listeners.
 */
export function followListeners(
  { database, log, networks, settings }: Platform,
  { follow, idleMs }: FollowListenersOptions,
): Stoppable {
  const chains = new Map<Network, Following>();
  const failures = createFailureLog(log, "cannot read the chains to follow");
  const followAll = (
    names: readonly (number | string)[],
    isNeeded: boolean,
  ) => {
    const neededAt = performance.now();
    for (const name of names) {
      const network = networks.find(String(name));
      if (network === null) continue;
      const known = chains.get(network);
      if (known === undefined) {
        chains.set(network, { follower: follow(network), neededAt });
      } else if (isNeeded) known.neededAt = neededAt;
    }
  };
  const release = async (network: Network): Promise<void> => {
    await chains.get(network)?.follower.stop();
    chains.delete(network);
    const { chainId } = network;
    const place = { database, follower: indexerFollower, chainId };
    await forgetChain(place, sql`not ${hasListeners(sql.lit(chainId))}`);
  };
  const { ended, stop } = repeatUntilStopped(checkIntervalMs, async () => {
    try {
      followAll([settings.embeddedChain ?? []].flat(), true);
      followAll(await findChains(database), true);
      // The last listener can have ended while no instance was running.
      followAll(await findFollowedChains(database, indexerFollower), false);
      const isIdle = performance.now() - idleMs;
      for (const [network, { neededAt }] of chains) {
        if (neededAt < isIdle) await release(network);
      }
      failures.clear();
    } catch (error) {
      failures.note(error);
    }
  });
  return {
    ended,
    stop: async () => {
      await stop();
      const all = [...chains.values()];
      await Promise.all(all.map(({ follower }) => follower.stop()));
    },
  };
}

/** Finds the chains that have listeners. */
async function findChains(database: Database): Promise<readonly number[]> {
  // Each chain takes one index lookup, regardless of how many listeners it has.
  const { rows } = await sql<{ readonly id: number }>`
    with recursive chains (id) as (
      select min(chain_id) from webhook_listeners
      where active and deleted_at is null
      union all
      select (select min(chain_id) from webhook_listeners
        where active and deleted_at is null and chain_id > chains.id)
      from chains where chains.id is not null
    )
    select id from chains where id is not null`.execute(database);
  return rows.map(({ id }) => id);
}

function hasListeners(chainId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`exists (
    select from webhook_listeners
    where chain_id = ${chainId} and active and deleted_at is null)`;
}
