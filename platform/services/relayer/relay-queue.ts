import type { Database, Row } from "../../database/schema.js";
import { wakePart } from "../../queue/enqueue.js";

/** The queue of relays that are not final. */
export const relayQueue = "relays";

/**
 * The parts of a lane with relays that cannot be paid. Relays of a part wait for
 * the same thing. It is paused after each attempt, so that their work does not
 * grow with their number.
 */
export const unpaidParts = {
  /** The gas price. */
  price: "unpaid price",
  tank: "unpaid",
  /** The limit of a sponsor. */
  sponsor: (id: number): string => `unpaid ${id}`,
} as const;

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

/** Makes the relays of an unpaid part due. */
export async function wakeUnpaid(
  database: Database,
  place: { readonly projectId: number; readonly chainId: number },
  part: string,
): Promise<void> {
  const lane = laneOf({
    ...{ project_id: place.projectId, chain_id: place.chainId },
    state: "pending",
  });
  await wakePart(database, relayQueue, { lane, part });
}
