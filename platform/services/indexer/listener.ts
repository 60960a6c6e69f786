import type { Row } from "../../database/schema.js";
import type { BlockLog } from "../../follower/block.js";
import { groupBy } from "../../follower/group-by.js";
import { type DecodedEvent, decodeEvent } from "./decode-event.js";
import type { EventSignature } from "./event-signature.js";
import { findTokenEvent } from "./token-events.js";

/**
 * A listener in the form used to match logs. An empty filter accepts
 * everything.
 */
export interface Listener {
  readonly id: number;
  readonly projectId: number;
  /**
   * In lowercase, like all addresses and hashes here. Null accepts any
   * contract.
   */
  readonly contracts: ReadonlySet<string> | null;
  /** Events by topic hash. Null accepts any event. */
  readonly events: ReadonlyMap<string, readonly EventSignature[]> | null;
  readonly topics: ReadonlySet<string> | null;
  readonly accounts: ReadonlySet<string> | null;
  readonly tokenIds: ReadonlySet<bigint> | null;
}

/** The columns from which a listener is created. */
export type StoredListener = Pick<
  Row<"webhook_listeners">,
  "id" | "project_id" | "filters"
>;

/** Creates a listener from a stored row. Errors: any error from `parse`. */
export function toListener(
  { id, project_id: projectId, filters }: StoredListener,
  parse: (text: string) => EventSignature,
): Listener {
  const events = filters.events.map(parse);
  const byTopic = groupBy(events, ({ topicHash }) => topicHash);
  return {
    id,
    projectId,
    contracts: toSet(filters.contractAddresses.map(lowerCase)),
    events: events.length === 0 ? null : byTopic,
    topics: toSet(filters.topicHashes?.map(lowerCase)),
    accounts: toSet(filters.accounts?.map(lowerCase)),
    tokenIds: toSet(filters.tokenIDs?.map(BigInt)),
  };
}

function lowerCase(text: string): string {
  return text.toLowerCase();
}

function toSet<Value>(
  values: readonly Value[] = [],
): ReadonlySet<Value> | null {
  return values.length === 0 ? null : new Set(values);
}

/** The result of matching a log. */
export interface Match {
  /** The decoded event, or null if the event is unknown. */
  readonly decoded: DecodedEvent | null;
}

/** Decodes a log as an event and caches the result. */
export type Decode = (event: EventSignature) => DecodedEvent | null;

/**
 * Creates a decoder for one log. It decodes the log only once for all events
 * with the same shape.
 */
export function createDecode(log: BlockLog): Decode {
  const known = new Map<string, DecodedEvent | null>();
  return (event) => {
    const found = known.get(event.shape);
    const decoded = found === undefined ? decodeEvent(event, log) : found;
    known.set(event.shape, decoded);
    return decoded && { ...decoded, event };
  };
}

/** Matches a log against a listener. Returns null if they do not match. */
export function matchLog(
  listener: Listener,
  log: BlockLog,
  decode: Decode,
): Match | null {
  const { accounts, contracts, topics, tokenIds } = listener;
  const [topicHash] = log.topics;
  // A notification cannot describe an anonymous event.
  if (topicHash === undefined) return null;
  if (contracts !== null && !contracts.has(log.address)) return null;
  if (topics !== null && !log.topics.some((each) => topics.has(each))) {
    return null;
  }
  const match = findEvent(listener, log, decode);
  if (match === null) return null;
  const { decoded } = match;
  if (
    accounts !== null &&
    !hasSome(accounts, decoded?.addresses ?? padded(log))
  )
    return null;
  if (tokenIds !== null && !hasSome(tokenIds, decoded?.tokenIds ?? []))
    return null;
  return match;
}

function findEvent(
  { events }: Listener,
  log: BlockLog,
  decode: Decode,
): Match | null {
  if (events === null) {
    const known = findTokenEvent(log.topics);
    return { decoded: known === null ? null : decode(known.event) };
  }
  for (const event of events.get(log.topics[0] ?? "") ?? []) {
    const decoded = decode(event);
    if (decoded !== null) return { decoded };
  }
  return null;
}

function hasSome<Value>(
  wanted: ReadonlySet<Value>,
  values: Iterable<Value>,
): boolean {
  for (const value of values) if (wanted.has(value)) return true;
  return false;
}

/** Returns the possible indexed addresses of an unknown event. */
export function padded({ topics }: BlockLog): readonly string[] {
  return topics
    .slice(1)
    .filter((topic) => /^0x0{24}/u.test(topic))
    .map((topic) => `0x${topic.slice(-40)}`);
}
