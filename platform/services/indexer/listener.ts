import type { Row } from "../../database/schema.js";
import type { BlockLog } from "../../follower/block.js";
import { groupBy } from "../../follower/group-by.js";
import {
  type Argument,
  type DecodedEvent,
  decodeArguments,
  gather,
  wordsIn,
  wordsOf,
} from "./decode-event.js";
import {
  type EventSignature,
  type EventParser,
  indexedOf,
} from "./event-signature.js";
import type { Work } from "./take-turns.js";
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

/** A step of matching a log against a listener. */
export interface MatchStep {
  readonly listener: Listener;
  readonly log: BlockLog;
  /** The work of the step, in values (`reference.md`). */
  readonly work: number;
  /** Whether the work has already been done for another listener. */
  readonly isShared?: boolean;
}

/** Work that matches a log against a listener. */
type Matching<Result> = Work<MatchStep, Result>;

/** Decodes a log as an event for a listener and caches the result. */
type Decode = (
  event: EventSignature,
  listener: Listener,
) => Matching<DecodedEvent | null>;

/** The work of comparing a log with a listener. */
const comparingWork = 1;

/**
 * Creates a function that matches a log against listeners. It returns null if
 * they do not match, or if a step was refused. The log is decoded once for each
 * layout, but each listener pays for what it needs, so its work does not depend
 * on other listeners.
 */
export function createMatchLog(
  log: BlockLog,
): (listener: Listener) => Matching<Match | null> {
  const decode = createDecode(log);
  const words = wordsOf(log);
  return function* (listener) {
    if (!(yield { listener, log, work: comparingWork })) return null;
    if (!fitsPlace(listener, log)) return null;
    const match = yield* findEvent(listener, log, decode);
    if (match === null || !fitsValues(listener, log, match)) return null;
    const work = notifyingWork(words, match);
    return (yield { listener, log, work }) ? match : null;
  };
}

/** Returns the work of creating a notification about a log of some words. */
function notifyingWork(words: number, { decoded }: Match): number {
  if (decoded === null) return words;
  // The values can be larger than the log.
  const inValues = decoded.values.reduce((sum, hex) => sum + wordsIn(hex), 0);
  return Math.max(words, inValues) + decoded.event.size;
}

function createDecode(log: BlockLog): Decode {
  const known = new Map<
    string,
    { readonly found: readonly Argument[] | null; readonly work: number }
  >();
  function* decode(
    event: EventSignature,
    listener: Listener,
  ): Matching<readonly Argument[] | null> {
    const cached = known.get(event.layout);
    if (cached !== undefined) {
      const { found, work } = cached;
      return (yield { listener, log, work, isShared: true }) ? found : null;
    }
    let total = 0;
    let isPaid = true;
    const attempts = decodeArguments(event, log);
    let next = attempts.next();
    while (next.done !== true) {
      const { value: work } = next;
      isPaid = yield { listener, log, work };
      total += work;
      next = attempts.next(isPaid);
    }
    if (isPaid) known.set(event.layout, { found: next.value, work: total });
    return next.value;
  }
  return function* (event, listener) {
    const found = yield* decode(event, listener);
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

function* findEvent(
  listener: Listener,
  log: BlockLog,
  decode: Decode,
): Matching<Match | null> {
  if (listener.events === null) {
    const known = findTokenEvent(log.topics);
    if (known === null) return { decoded: null };
    return { decoded: yield* decode(known.event, listener) };
  }
  const read = listener.events.get(log.topics[0] ?? "");
  for (const event of read?.() ?? []) {
    const decoded = yield* decode(event, listener);
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
