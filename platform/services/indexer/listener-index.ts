import { type Kysely, sql } from "kysely";

import type { Tables } from "../../database/schema.js";
import type { BlockLog } from "../../follower/block.js";
import { type EventSignature, parseEventSignature } from "./event-signature.js";
import {
  createDecode,
  type Listener,
  type Match,
  matchLog,
  toListener,
} from "./listener.js";

/** The listeners of a chain, indexed for matching logs. */
export interface ListenerIndex {
  /** Reads changes to the listeners. Returns the number of listeners. */
  refresh(database: Kysely<Tables>): Promise<number>;
  /** Finds the listeners that match a log. */
  find(log: BlockLog): readonly ListenerMatch[];
}

/** A listener that matches a log. */
export interface ListenerMatch extends Match {
  readonly listenerId: number;
  readonly projectId: number;
}

/** Creates an empty index. Listeners are added and removed but never change. */
export function createListenerIndex(chainId: number): ListenerIndex {
  let listeners = new Map<number, Listener>();
  let byContract = new Map<string, readonly Listener[]>();
  return {
    refresh: async (database) => {
      const ids = await readIds(database, chainId);
      const isSame =
        ids.length === listeners.size && ids.every((id) => listeners.has(id));
      if (!isSame) {
        listeners = await readListeners(database, ids, listeners);
        byContract = groupByContract([...listeners.values()]);
      }
      return listeners.size;
    },
    find: (log) => {
      const decode = createDecode(log);
      const candidates = [
        ...(byContract.get(log.address) ?? []),
        ...(byContract.get(anyContract) ?? []),
      ];
      return candidates.flatMap((listener) => {
        const match = matchLog(listener, log, decode);
        const { id: listenerId, projectId } = listener;
        return match === null ? [] : [{ ...match, listenerId, projectId }];
      });
    },
  };
}

/** The key of listeners that accept any contract. */
const anyContract = "";

async function readIds(
  database: Kysely<Tables>,
  chainId: number,
): Promise<readonly number[]> {
  const rows = await database
    .selectFrom("webhook_listeners")
    .select("id")
    .where("chain_id", "=", chainId)
    .where("active", "=", true)
    .where("deleted_at", "is", null)
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns listeners by ID. Reads only the ones that are not in memory yet. */
async function readListeners(
  database: Kysely<Tables>,
  ids: readonly number[],
  known: ReadonlyMap<number, Listener>,
): Promise<Map<number, Listener>> {
  const unknown = ids.filter((id) => !known.has(id));
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
  const found = new Map(rows.map((row) => [row.id, toListener(row, parse)]));
  for (const id of ids) {
    const listener = known.get(id);
    if (listener !== undefined) found.set(id, listener);
  }
  return found;
}

function groupByContract(
  listeners: readonly Listener[],
): Map<string, readonly Listener[]> {
  const groups = new Map<string, Listener[]>();
  for (const listener of listeners) {
    for (const contract of listener.contracts ?? [anyContract]) {
      const group = groups.get(contract);
      if (group === undefined) groups.set(contract, [listener]);
      else group.push(listener);
    }
  }
  return groups;
}
