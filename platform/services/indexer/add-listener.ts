import { InvalidArgumentError } from "../../../generated/errors.js";
import type { WebhookFilter } from "../../../generated/indexer/types.js";
import type { Database, Row } from "../../database/schema.js";
import { startAt, hasBegun } from "../../follower/progress.js";
import type { Network } from "../../network/networks.js";
import { requireHead } from "../../network/moment.js";
import type { Platform } from "../../parts/platform.js";
import { giveWay } from "../../process/concurrency/give-way.js";
import { toTokenIds } from "../request-fields.js";
import { EventSignatureError, parseEventSignature } from "./event-signature.js";
import { indexerFollower } from "./index-blocks.js";
import {
  changeListener,
  type ListenerChange,
  type NewListener,
  saveListener,
} from "./listeners.js";

/**
 * Adds a listener to a chain and starts following the chain.
 *
 * Errors: `InvalidArgument` for an invalid URL, event or token ID,
 * `PermissionDenied` if the project has too many listeners or too large filters, `Unavailable` if the
 * chain does not respond.
 */
export async function addListener(
  {
    database,
    outbound,
    settings,
  }: Pick<Platform, "database" | "outbound" | "settings">,
  network: Network,
  { projectId, url, filters }: Omit<NewListener, "chainId">,
): Promise<Row<"webhook_listeners">> {
  const normalized = await readTarget(outbound, { url, filters });
  await requireFollowed(database, network);
  const { chainId } = network;
  const saved = await saveListener(
    database,
    { projectId, chainId, url, filters: normalized },
    settings,
  );
  // The position can have been removed because there was no listener.
  await requireFollowed(database, network);
  return saved;
}

/**
 * Changes the URL and the filters of a listener. Returns null if the project has
 * no such listener or it is deleted.
 *
 * Errors: `InvalidArgument` for an invalid URL, event or token ID,
 * `PermissionDenied` if the project's filters become too large.
 */
export async function updateListener(
  {
    database,
    outbound,
    settings,
  }: Pick<Platform, "database" | "outbound" | "settings">,
  change: ListenerChange,
): Promise<Row<"webhook_listeners"> | null> {
  const filters = await readTarget(outbound, change);
  return changeListener(database, { ...change, filters }, settings);
}

/**
 * Validates what a listener receives and where. Returns its filters in the form
 * in which they are stored.
 *
 * Errors: `InvalidArgument`.
 */
async function readTarget(
  outbound: Platform["outbound"],
  { filters, url }: Pick<NewListener, "filters" | "url">,
): Promise<WebhookFilter> {
  const problem = await outbound.problemOf(url);
  if (problem !== null) {
    throw new InvalidArgumentError({ cause: `url: ${problem}` });
  }
  await refuseOtherEvents(filters);
  return normalize(filters);
}

/** Validates events. Errors: `InvalidArgument`. */
async function refuseOtherEvents({ events }: WebhookFilter): Promise<void> {
  for (const [index, text] of events.entries()) {
    await giveWay();
    try {
      parseEventSignature(text);
    } catch (error) {
      if (!(error instanceof EventSignatureError)) throw error;
      const cause = `filters.events[${index}]: ${error.message}`;
      throw new InvalidArgumentError({ cause });
    }
  }
}

/**
 * Normalizes filters for storage: token IDs lose leading zeros.
 *
 * Errors: `InvalidArgument` for a token ID of more than 256 bits.
 */
function normalize(filters: WebhookFilter): WebhookFilter {
  const { accounts, contractAddresses, events, tokenIDs, topicHashes } =
    filters;
  return {
    contractAddresses,
    events,
    ...(tokenIDs !== undefined && {
      tokenIDs: [...toTokenIds("filters.tokenIDs", tokenIDs)],
    }),
    ...(accounts !== undefined && { accounts }),
    ...(topicHashes !== undefined && { topicHashes }),
  };
}

/**
 * Starts following the chain at the next block if it is not followed yet.
 *
 * Errors: `Unavailable` if the chain does not respond.
 */
async function requireFollowed(
  database: Database,
  network: Network,
): Promise<void> {
  const { chainId } = network;
  const place = { database, follower: indexerFollower, chainId };
  if (await hasBegun(place)) return;
  const head = await requireHead(network);
  await startAt(place, head.number + 1);
}
