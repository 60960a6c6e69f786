import { sql } from "kysely";
import { LRUCache } from "lru-cache";

import type { Database } from "../../database/schema.js";

/** A limit on the pending jobs of each project in a queue. */
export interface BacklogOptions {
  readonly queue: string;
  /** In units (`storage-units.ts`). */
  readonly maxPerProject: number;
  /** Called with the number of rejected items. */
  readonly onRejected: (count: number) => void;
}

/**
 * How long a count is reused. Counting a full backlog takes longer than storing
 * the jobs of a block.
 */
const usedForMs = 10_000;

/** The pending jobs of projects, as far as they are known. */
export interface Backlog {
  /** Starts a transaction. Forgets what the one before added and did not commit. */
  readonly begin: () => void;
  /** Ends a transaction that was committed. */
  readonly commit: () => void;
  /**
   * Returns, in order, the items that still fit within their projects' limits. The
   * last one can exceed the limit. The caller must enqueue them in the lanes of
   * their projects. The count does not include jobs that others have added since
   * it was taken.
   */
  readonly admit: <Item extends { readonly projectId: number }>(
    database: Database,
    items: readonly Item[],
    unitsOf: (item: Item) => number,
  ) => Promise<readonly Item[]>;
}

/** Creates the backlog of a queue, to which one transaction at a time adds jobs. */
export function createBacklog({
  queue,
  maxPerProject: max,
  onRejected,
}: BacklogOptions): Backlog {
  const rooms = new LRUCache<number, number>({
    max: 100_000,
    ttl: usedForMs,
    noUpdateTTL: true,
  });
  /** The projects whose rooms the running transaction has changed. */
  const changed = new Set<number>();
  const readRoom = async (
    database: Database,
    projectId: number,
  ): Promise<number> => {
    // Each job has at least one unit.
    const { rows } = await sql<{ readonly used: number }>`
      select coalesce(sum(units), 0) as used from (
        select units from jobs
        where queue = ${queue} and lane = ${String(projectId)}
          and dead_at is null
        limit ${max}
      ) as pending`.execute(database);
    return Math.max(max - (rows[0]?.used ?? 0), 0);
  };
  const admit: Backlog["admit"] = async (database, items, unitsOf) => {
    const left = new Map<number, number>();
    const admitted: (typeof items)[number][] = [];
    for (const item of items) {
      const { projectId: id } = item;
      const known = left.get(id) ?? rooms.get(id);
      const room = known ?? (await readRoom(database, id));
      if (room > 0) admitted.push(item);
      const rest = room > 0 ? Math.max(room - unitsOf(item), 0) : 0;
      left.set(id, rest);
      changed.add(id);
      // Some jobs may have finished since the last count, so count again the
      // next time.
      if (room > 0 && rest === 0) rooms.delete(id);
      else rooms.set(id, rest);
    }
    const rejected = items.length - admitted.length;
    if (rejected > 0) onRejected(rejected);
    return admitted;
  };
  return {
    admit,
    begin: () => {
      for (const id of changed) rooms.delete(id);
      changed.clear();
    },
    commit: () => changed.clear(),
  };
}
