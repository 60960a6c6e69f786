import { sql } from "kysely";

import { readInPieces } from "../../database/pieces.js";
import type { Database } from "../../database/schema.js";
import type { BlockLog } from "../../follower/block.js";
import { giveWay } from "../../process/concurrency/give-way.js";
import { createEventParser } from "./event-signature.js";
import { type Listener, toListener } from "./listener.js";

/** Listeners that require the same values of a log, by project. */
export type ListenerGroup = ReadonlyMap<number, ReadonlySet<Listener>>;

/** The listeners of a chain, indexed for matching logs. */
export interface ListenerIndex {
  /** Reads changes to the listeners. Returns whether there are any listeners. */
  refresh(database: Database): Promise<boolean>;
  /**
   * Finds the groups with listeners that may match a log, without decoding it.
   * Listeners can be in several groups.
   */
  find(log: BlockLog): Promise<readonly ListenerGroup[]>;
  /** Removes a listener from its groups until `restore` is called. */
  remove(listener: Listener): void;
  restore(): Promise<void>;
}

/** Creates an empty index. */
export function createListenerIndex(chainId: number): ListenerIndex {
  const listeners = new Map<string, Listener>();
  const groups: ListenerGroups = new Map();
  const removed = new Set<Listener>();
  const parser = createEventParser();
  let known: string | null = null;
  return {
    refresh: async (database) => {
      const digest = await readDigest(database, chainId);
      if (digest === known) return listeners.size > 0;
      const versions = await readVersions(database, chainId);
      const current = new Set(versions.map(({ version }) => version));
      for (const [version, listener] of listeners) {
        if (current.has(version)) continue;
        await giveWay();
        ungroup(groups, listener);
        listeners.delete(version);
      }
      const added = versions.filter(({ version }) => !listeners.has(version));
      for (let start = 0; start < added.length; start += readAtOnce) {
        const some = added.slice(start, start + readAtOnce);
        for (const { version, ...row } of await readListeners(database, some)) {
          await giveWay();
          const listener = toListener(row, parser);
          group(groups, listener);
          listeners.set(version, listener);
        }
      }
      known = digest;
      return listeners.size > 0;
    },
    find: (log) => findGroups(groups, log),
    remove: (listener) => {
      ungroup(groups, listener);
      removed.add(listener);
    },
    restore: async () => {
      for (const listener of removed) {
        await giveWay();
        group(groups, listener);
      }
      removed.clear();
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

function selectActive(database: Database, chainId: number) {
  return database
    .selectFrom("webhook_listeners")
    .where("chain_id", "=", chainId)
    .where("active", "=", true)
    .where("deleted_at", "is", null);
}

function readVersions(
  database: Database,
  chainId: number,
): Promise<readonly ListenerVersion[]> {
  // A change between two pieces also changes the digest, so they are read again.
  return readInPieces<ListenerVersion>((last, limit) =>
    selectActive(database, chainId)
      .select(["id", versionOf])
      .where("id", ">", last?.id ?? 0)
      .orderBy("id")
      .limit(limit)
      .execute(),
  );
}

/**
 * Returns a text that changes with each change of a listener. Reading all
 * versions for each block would take long.
 */
async function readDigest(
  database: Database,
  chainId: number,
): Promise<string> {
  const { digest } = await selectActive(database, chainId)
    .select(
      sql<string>`
        concat(count(*), ' ', sum(hashtextextended(id || ' ' || updated_at, 0)))
      `.as("digest"),
    )
    .executeTakeFirstOrThrow();
  return digest;
}

/** The number of listeners that are read at once. */
const readAtOnce = 20;

/** Reads listeners with their versions. */
function readListeners(
  database: Database,
  versions: readonly ListenerVersion[],
) {
  const ids = versions.map(({ id }) => id);
  return (
    database
      .selectFrom("webhook_listeners")
      .select(["id", "project_id", "filters", versionOf])
      .where(sql<boolean>`id = any(${ids}::bigint[])`)
      // Deleted listeners have no filters.
      .where("deleted_at", "is", null)
      .execute()
  );
}

/**
 * Listeners, grouped by values of a log that they require: first by a word (an
 * account, token ID or topic), then by contract and event, then by project.
 */
type ListenerGroups = Map<string, Map<string, Projects>>;
type Projects = Map<number, Set<Listener>>;

/** Stands for any value. */
const any = "";

/**
 * The maximum number of keys by which a listener is found, unless one of its
 * filters alone has more values.
 */
const maxCombinations = 100;

function group(groups: ListenerGroups, listener: Listener): void {
  const { projectId } = listener;
  for (const [word, place] of keysOf(listener)) {
    const byPlace = groups.get(word) ?? new Map<string, Projects>();
    const projects = byPlace.get(place) ?? new Map<number, Set<Listener>>();
    const found = projects.get(projectId);
    if (found === undefined) projects.set(projectId, new Set([listener]));
    else found.add(listener);
    byPlace.set(place, projects);
    groups.set(word, byPlace);
  }
}

function ungroup(groups: ListenerGroups, listener: Listener): void {
  const { projectId } = listener;
  for (const [word, place] of keysOf(listener)) {
    const byPlace = groups.get(word);
    const projects = byPlace?.get(place);
    const found = projects?.get(projectId);
    found?.delete(listener);
    if (found?.size === 0) projects?.delete(projectId);
    if (projects?.size === 0) byPlace?.delete(place);
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

/** The number of words that are looked up before other work can run. */
const wordsAtOnce = 1000;

async function findGroups(
  groups: ListenerGroups,
  { address, data, topics }: BlockLog,
): Promise<readonly ListenerGroup[]> {
  const found = new Set<ListenerGroup>();
  const [topicHash = ""] = topics;
  const places = [any, address].flatMap((contract) =>
    [any, topicHash].map((event) => ` ${contract} ${event}`),
  );
  const visit = (word: string): void => {
    const byPlace = groups.get(word);
    if (byPlace === undefined) return;
    for (const place of places) {
      const projects = byPlace.get(place);
      if (projects !== undefined) found.add(projects);
    }
  };
  for (const word of [any, ...topics]) visit(word);
  // In encoded data, addresses and numbers start at multiples of 32 bytes.
  for (let start = 2; start < data.length; start += 64) {
    if (start % (64 * wordsAtOnce) === 2) await giveWay();
    visit(`0x${data.slice(start, start + 64)}`);
  }
  return [...found];
}
