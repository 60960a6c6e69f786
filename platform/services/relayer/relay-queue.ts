import type { Database, Row } from "../../database/schema.js";
import { wakePart } from "../../queue/enqueue.js";

/** The queue of relays that are not final. */
export const relayQueue = "relays";

/**
 * The part of a lane with relays whose tank or sponsor cannot pay. It is paused
 * after each attempt, so that their work does not grow with their number.
 */
export const unpaidPart = "unpaid";

/**
 * Returns the lane of a relay in the queue. Each project has its own lanes on
 * each network, so that neither other projects nor a network that does not
 * respond delay it. Relays that only wait to become final do not delay pending
 * ones.
 */
export function laneOf(
  relay: Pick<Row<"relays">, "chain_id" | "project_id" | "state">,
): string {
  const lane = `${relay.chain_id} ${relay.project_id}`;
  return relay.state === "pending" ? lane : `${lane} settled`;
}

/** Makes the relays due that wait until their tank or sponsor can pay. */
export async function wakeUnpaid(
  database: Database,
  place: { readonly projectId: number; readonly chainId: number },
): Promise<void> {
  const lane = laneOf({
    ...{ project_id: place.projectId, chain_id: place.chainId },
    state: "pending",
  });
  await wakePart(database, relayQueue, { lane, part: unpaidPart });
}
