import type { Row } from "../../database/schema.js";
import type { BlockLog } from "../../follower/block.js";
import { groupBy } from "../../follower/group-by.js";
import {
  type Argument,
  type DecodedEvent,
  decodeArguments,
  gather,
  wordsOf,
} from "./decode-event.js";
import {
  type EventSignature,
  type EventParser,
  indexedOf,
} from "./event-signature.js";
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
  readonly events: ReadonlyMap<string, EventReader> | null;
  readonly topics: ReadonlySet<string> | null;
  readonly accounts: ReadonlySet<string> | null;
  readonly tokenIds: ReadonlySet<bigint> | null;
}

/**
 * Parses events with the same topic hash. They are parsed when a log needs them
 * for the first time, because parsing takes long.
 */
type EventReader = () => readonly EventSignature[];

function createEventReader(
  topicHash: string,
  texts: readonly string[],
  { parse }: EventParser,
): EventReader {
  // The first event that fits a log describes it, so one of each layout is
  // enough.
  const layouts = groupBy(texts, indexedOf);
  const different = [...layouts.values()].flatMap(([text]) => text ?? []);
  let events: readonly EventSignature[] | null = null;
  return () => (events ??= different.map((text) => parse(topicHash, text)));
}

/** The columns from which a listener is created. */
export type StoredListener = Pick<
  Row<"webhook_listeners">,
  "id" | "project_id" | "filters"
>;

/** Creates a listener from a stored row. */
export function toListener(
  { id, project_id: projectId, filters }: StoredListener,
  parser: EventParser,
): Listener {
  const byTopic = groupBy(filters.events, parser.hash);
  const readers = [...byTopic].map(
    ([topicHash, texts]) =>
      [topicHash, createEventReader(topicHash, texts, parser)] as const,
  );
  return {
    id,
    projectId,
    contracts: toSet(filters.contractAddresses.map(lowerCase)),
    events: readers.length === 0 ? null : new Map(readers),
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

/**
 * Decodes a log as an event for a listener and caches the result. Returns null
 * if the log is not such an event, or if `charge` returned false.
 */
type Decode = (
  event: EventSignature,
  listener: Listener,
) => Promise<DecodedEvent | null>;

/**
 * Charges work, in values, to a listener before it is done. Returns false if the
 * work is not to be done.
 *
 * Input: whether the work has already been done for another listener.
 */
export type ChargeListener = (
  listener: Listener,
  work: number,
  isShared?: boolean,
) => boolean | Promise<boolean>;

/** The work of comparing a log with a listener. */
const comparingWork = 1;

/**
 * Creates a function that matches a log against listeners. It returns null if
 * they do not match, or if `charge` returned false. The log is decoded once for
 * each layout, but each listener pays for what it needs, so its work does not
 * depend on other listeners.
 */
export function createMatchLog(
  log: BlockLog,
  charge: ChargeListener,
): (listener: Listener) => Promise<Match | null> {
  const decode = createDecode(log, charge);
  const notifyingWork = wordsOf(log);
  return async (listener) => {
    if (!(await charge(listener, comparingWork))) return null;
    if (!fitsPlace(listener, log)) return null;
    const match = await findEvent(listener, log, decode);
    if (match === null || !fitsValues(listener, log, match)) return null;
    const work = notifyingWork + (match.decoded?.event.size ?? 0);
    return (await charge(listener, work)) ? match : null;
  };
}

function createDecode(log: BlockLog, charge: ChargeListener): Decode {
  const known = new Map<
    string,
    { readonly found: readonly Argument[] | null; readonly work: number }
  >();
  const decode = async (
    event: EventSignature,
    listener: Listener,
  ): Promise<readonly Argument[] | null> => {
    const cached = known.get(event.layout);
    if (cached !== undefined) {
      const isPaid = await charge(listener, cached.work, true);
      return isPaid ? cached.found : null;
    }
    let work = 0;
    let isPaid = true;
    const found = await decodeArguments(event, log, async (next) => {
      work += next;
      isPaid = await charge(listener, next);
      return isPaid;
    });
    if (isPaid) known.set(event.layout, { found, work });
    return found;
  };
  return async (event, listener) => {
    const found = await decode(event, listener);
    return found && gather(event, log, found);
  };
}

/** Returns whether a log has a contract and topics that a listener accepts. */
function fitsPlace({ contracts, topics }: Listener, log: BlockLog): boolean {
  // A notification cannot describe an anonymous event.
  if (log.topics.length === 0) return false;
  if (contracts !== null && !contracts.has(log.address)) return false;
  return topics === null || log.topics.some((each) => topics.has(each));
}

/** Returns whether a log has accounts and token IDs that a listener accepts. */
function fitsValues(
  { accounts, tokenIds }: Listener,
  log: BlockLog,
  { decoded }: Match,
): boolean {
  const addresses = decoded?.addresses ?? padded(log);
  if (accounts !== null && !hasSome(accounts, addresses)) return false;
  return tokenIds === null || hasSome(tokenIds, decoded?.tokenIds ?? []);
}

async function findEvent(
  listener: Listener,
  log: BlockLog,
  decode: Decode,
): Promise<Match | null> {
  if (listener.events === null) {
    const known = findTokenEvent(log.topics);
    if (known === null) return { decoded: null };
    return { decoded: await decode(known.event, listener) };
  }
  const read = listener.events.get(log.topics[0] ?? "");
  for (const event of read?.() ?? []) {
    const decoded = await decode(event, listener);
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
function padded({ topics }: BlockLog): readonly string[] {
  return topics
    .slice(1)
    .filter((topic) => /^0x0{24}/u.test(topic))
    .map((topic) => `0x${topic.slice(-40)}`);
}
