import { sql } from "kysely";

import type { Database } from "../../database/schema.js";
import type { BlockLog } from "../../follower/block.js";
import { createEventParser } from "./event-signature.js";
import {
  type ChargeListener,
  createMatchLog,
  type Listener,
  type Match,
  toListener,
} from "./listener.js";

/** The listeners of a chain, indexed for matching logs. */
export interface ListenerIndex {
  /**
   * Reads changes to the listeners. Returns the number of projects that have
   * listeners.
   *
   * Input: called between steps, so that other work can run.
   */
  refresh(database: Database, giveWay: GiveWay): Promise<number>;
  /** Finds the listeners that match a log. */
  find(
    log: BlockLog,
    charge: ChargeListener,
  ): Promise<readonly ListenerMatch[]>;
}

/** A listener that matches a log. */
export interface ListenerMatch extends Match {
  readonly listener: Listener;
}

type GiveWay = () => Promise<void>;

/** Creates an empty index. */
export function createListenerIndex(chainId: number): ListenerIndex {
  const listeners = new Map<string, Listener>();
  const groups: ListenerGroups = new Map();
  /** The number of listeners by project. */
  const owners = new Map<number, number>();
  const count = ({ projectId }: Listener, change: 1 | -1): void => {
    const found = (owners.get(projectId) ?? 0) + change;
    if (found === 0) owners.delete(projectId);
    else owners.set(projectId, found);
  };
  const parser = createEventParser();
  return {
    refresh: async (database, giveWay) => {
      const versions = await readVersions(database, chainId);
      const current = new Set(versions.map(({ version }) => version));
      for (const [version, listener] of listeners) {
        if (current.has(version)) continue;
        await giveWay();
        ungroup(groups, listener);
        count(listener, -1);
        listeners.delete(version);
      }
      const added = versions.filter(({ version }) => !listeners.has(version));
      for (let start = 0; start < added.length; start += readAtOnce) {
        const some = added.slice(start, start + readAtOnce);
        for (const { version, ...row } of await readListeners(database, some)) {
          await giveWay();
          const listener = toListener(row, parser);
          group(groups, listener);
          count(listener, 1);
          listeners.set(version, listener);
        }
      }
      return owners.size;
    },
    find: async (log, charge) => {
      const match = createMatchLog(log, charge);
      const found: ListenerMatch[] = [];
      for (const listener of findCandidates(groups, log)) {
        const matched = await match(listener);
        if (matched !== null) found.push({ ...matched, listener });
      }
      return found;
    },
  };
}

/** A listener as of its last change. */
interface ListenerVersion {
  readonly id: number;
  /** Changes with each change. */
  readonly version: string;
}

const versionOf = sql<string>`id || ' ' || updated_at`.as("version");

function readVersions(
  database: Database,
  chainId: number,
): Promise<readonly ListenerVersion[]> {
  return database
    .selectFrom("webhook_listeners")
    .select(["id", versionOf])
    .where("chain_id", "=", chainId)
    .where("active", "=", true)
    .where("deleted_at", "is", null)
    .where("set_aside_reason", "is", null)
    .execute();
}

/** The number of listeners that are read at once. */
const readAtOnce = 20;

/** Reads listeners with their versions. */
function readListeners(
  database: Database,
  versions: readonly ListenerVersion[],
) {
  const ids = versions.map(({ id }) => id);
  return database
    .selectFrom("webhook_listeners")
    .select(["id", "project_id", "filters", versionOf])
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .execute();
}

/**
 * Listeners, grouped by values of a log that they require: first by a word (an
 * account, token ID or topic), then by contract and event.
 */
type ListenerGroups = Map<string, Map<string, Set<Listener>>>;

/** Stands for any value. */
const any = "";

/**
 * The maximum number of keys by which a listener is found, unless one of its
 * filters alone has more values.
 */
const maxCombinations = 100;

function group(groups: ListenerGroups, listener: Listener): void {
  for (const [word, place] of keysOf(listener)) {
    const byPlace = groups.get(word) ?? new Map<string, Set<Listener>>();
    const found = byPlace.get(place);
    if (found === undefined) byPlace.set(place, new Set([listener]));
    else found.add(listener);
    groups.set(word, byPlace);
  }
}

function ungroup(groups: ListenerGroups, listener: Listener): void {
  for (const [word, place] of keysOf(listener)) {
    const byPlace = groups.get(word);
    const found = byPlace?.get(place);
    found?.delete(listener);
    if (found?.size === 0) byPlace?.delete(place);
    if (byPlace?.size === 0) groups.delete(word);
  }
}

/** Returns the words, each with a contract and an event, of a listener. */
function* keysOf(listener: Listener): Generator<readonly [string, string]> {
  const words = wordsOf(listener);
  const places = placesOf(listener, words.length);
  for (const word of words) for (const place of places) yield [word, place];
}

/**
 * Returns the words of a log by which a listener is found. Addresses and token
 * IDs have the form in which a log contains them.
 */
function wordsOf(listener: Listener): readonly string[] {
  const { accounts, tokenIds, topics } = listener;
  if (accounts !== null) return [...accounts].map(toWord);
  if (tokenIds !== null) {
    return [...tokenIds].map((id) => toWord(`0x${id.toString(16)}`));
  }
  return topics === null ? [any] : [...topics];
}

function toWord(hex: string): string {
  return `0x${hex.slice(2).padStart(64, "0")}`;
}

/** Returns the contracts and events by which a listener is found. */
function placesOf(
  { contracts, events }: Listener,
  words: number,
): readonly string[] {
  let places: readonly string[] = [""];
  for (const filter of [contracts, events?.keys()]) {
    const values = [...(filter ?? [any])];
    const sizes = [words, places.length, values.length];
    const keys = sizes.reduce((product, size) => product * size, 1);
    const used = keys > Math.max(maxCombinations, ...sizes) ? [any] : values;
    places = places.flatMap((place) =>
      used.map((value) => `${place} ${value}`),
    );
  }
  return places;
}

/** Finds the listeners that a log may match, without decoding it. */
function findCandidates(
  groups: ListenerGroups,
  { address, data, topics }: BlockLog,
): ReadonlySet<Listener> {
  const found = new Set<Listener>();
  const [topicHash = ""] = topics;
  const places = [any, address].flatMap((contract) =>
    [any, topicHash].map((event) => ` ${contract} ${event}`),
  );
  const visit = (word: string): void => {
    const byPlace = groups.get(word);
    if (byPlace === undefined) return;
    for (const place of places) {
      for (const listener of byPlace.get(place) ?? []) found.add(listener);
    }
  };
  for (const word of [any, ...topics]) visit(word);
  // In encoded data, addresses and numbers start at multiples of 32 bytes.
  for (let start = 2; start < data.length; start += 64) {
    visit(`0x${data.slice(start, start + 64)}`);
  }
  return found;
}
