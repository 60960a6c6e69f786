import { sql } from "kysely";

import type { Database } from "../../database/schema.js";
import type { BlockLog } from "../../follower/block.js";
import { type EventSignature, parseEventSignature } from "./event-signature.js";
import {
  createDecode,
  type Decode,
  type Listener,
  type Match,
  matchLog,
  padded,
  toListener,
} from "./listener.js";
import { findTokenEvent } from "./token-events.js";

/** The listeners of a chain, indexed for matching logs. */
export interface ListenerIndex {
  /** Reads changes to the listeners. Returns the number of listeners. */
  refresh(database: Database): Promise<number>;
  /** Finds the listeners that match a log. */
  find(log: BlockLog): readonly ListenerMatch[];
}

/** A listener that matches a log. */
export interface ListenerMatch extends Match {
  readonly listenerId: number;
  readonly projectId: number;
}

/** Creates an empty index. */
export function createListenerIndex(chainId: number): ListenerIndex {
  let listeners = new Map<string, Listener>();
  let groups = groupListeners([]);
  return {
    refresh: async (database) => {
      const versions = await readVersions(database, chainId);
      const isSame =
        versions.length === listeners.size &&
        versions.every(({ version }) => listeners.has(version));
      if (!isSame) {
        listeners = await readListeners(database, versions, listeners);
        groups = groupListeners([...listeners.values()]);
      }
      return listeners.size;
    },
    find: (log) => {
      const decode = createDecode(log);
      const candidates = findCandidates(groups, log, decode);
      return [...candidates].flatMap((listener) => {
        const match = matchLog(listener, log, decode);
        const { id: listenerId, projectId } = listener;
        return match === null ? [] : [{ ...match, listenerId, projectId }];
      });
    },
  };
}

/** A listener as of its last change. */
interface ListenerVersion {
  readonly id: number;
  /** Changes with each change. */
  readonly version: string;
}

function readVersions(
  database: Database,
  chainId: number,
): Promise<readonly ListenerVersion[]> {
  return database
    .selectFrom("webhook_listeners")
    .select(["id", sql<string>`id || ' ' || updated_at`.as("version")])
    .where("chain_id", "=", chainId)
    .where("active", "=", true)
    .where("deleted_at", "is", null)
    .execute();
}

/**
 * Returns listeners by version. Reads only the ones that are not in memory yet.
 */
async function readListeners(
  database: Database,
  versions: readonly ListenerVersion[],
  known: ReadonlyMap<string, Listener>,
): Promise<Map<string, Listener>> {
  const unknown = versions.flatMap(({ id, version }) =>
    known.has(version) ? [] : [id],
  );
  const rows = await database
    .selectFrom("webhook_listeners")
    .select(["id", "project_id", "filters"])
    .where(sql<boolean>`id = any(${unknown}::bigint[])`)
    .execute();
  // Listeners with the same signature share an event, so that a log is decoded
  // as that event only once.
  const signatures = new Map<string, EventSignature>();
  const parse = (text: string): EventSignature => {
    const event = signatures.get(text) ?? parseEventSignature(text);
    signatures.set(text, event);
    return event;
  };
  const read = new Map(rows.map((row) => [row.id, toListener(row, parse)]));
  const found = new Map<string, Listener>();
  for (const { id, version } of versions) {
    const listener = known.get(version) ?? read.get(id);
    if (listener !== undefined) found.set(version, listener);
  }
  return found;
}

/** Listeners, grouped by the values of a log that they require. */
interface ListenerGroups {
  /** By an account, token ID or topic, a contract, and an event's hash. */
  readonly byKey: ReadonlyMap<string, readonly Listener[]>;
  /** One event of each shape, by topic hash. */
  readonly events: ReadonlyMap<string, ReadonlyMap<string, EventSignature>>;
}

/** Stands for any value. */
const any = "";

/** The maximum number of keys per listener. */
const maxKeys = 1000;

function groupListeners(listeners: readonly Listener[]): ListenerGroups {
  const byKey = new Map<string, Listener[]>();
  const events = new Map<string, Map<string, EventSignature>>();
  for (const listener of listeners) {
    for (const key of keysOf(listener)) {
      const group = byKey.get(key);
      if (group === undefined) byKey.set(key, [listener]);
      else group.push(listener);
    }
    for (const [topicHash, own] of listener.events ?? []) {
      const shapes = events.get(topicHash) ?? new Map<string, EventSignature>();
      for (const event of own) shapes.set(event.shape, event);
      events.set(topicHash, shapes);
    }
  }
  return { byKey, events };
}

/** Returns the keys under which a listener is found. */
function keysOf(listener: Listener): readonly string[] {
  const { accounts, contracts, events, tokenIds, topics } = listener;
  // Addresses, hashes and token IDs look different.
  const filters = [...(accounts ?? tokenIds ?? topics ?? [any])];
  let keys: readonly string[] = filters.map(String);
  for (const filter of [contracts, events?.keys()]) {
    const values = [...(filter ?? [any])];
    const isTooMany = keys.length * values.length > maxKeys;
    const used = isTooMany ? [any] : values;
    keys = keys.flatMap((key) => used.map((value) => `${key} ${value}`));
  }
  return keys;
}

/** Finds the listeners that a log may match. */
function findCandidates(
  { byKey, events }: ListenerGroups,
  log: BlockLog,
  decode: Decode,
): ReadonlySet<Listener> {
  const found = new Set<Listener>();
  const [topicHash = ""] = log.topics;
  const known = findTokenEvent(log.topics);
  const shapes = [...(events.get(topicHash)?.values() ?? [])];
  if (known !== null) shapes.push(known.event);
  const decoded = shapes.flatMap((event) => decode(event) ?? []);
  const filters = new Set<unknown>([any, ...log.topics, ...padded(log)]);
  for (const { addresses, tokenIds } of decoded) {
    for (const value of [...addresses, ...tokenIds]) filters.add(value);
  }
  for (const filter of filters) {
    for (const contract of [any, log.address]) {
      for (const event of [any, topicHash]) {
        const key = `${String(filter)} ${contract} ${event}`;
        for (const listener of byKey.get(key) ?? []) found.add(listener);
      }
    }
  }
  return found;
}
