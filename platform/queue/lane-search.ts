import type { Database } from "../database/schema.js";
import type { Lanes } from "./lanes.js";
import { findDueLanes, findLanes } from "./leases.js";

/** Finds lanes with due jobs of which no notification tells. */
export interface LaneSearch {
  /** Searches for lanes if it is time to. Errors: any error from a query. */
  run(): Promise<void>;
  /** Requests a search of all lanes. */
  requestAll(): void;
  /** Requests a search once a job is due. */
  expect(afterMs: number): void;
  /** Returns the time until the next search. */
  restMs(): number;
}

/**
 * The interval between searches of all lanes, in case a notification was lost.
 */
const allMs = 5000;

/**
 * How much the periods overlap in which jobs became due. A transaction can
 * store a time shortly before it is committed.
 */
const overlapMs = 1000;

/** Options of a search. */
export interface LaneSearchOptions {
  readonly database: Database;
  readonly queue: string;
  readonly lanes: Lanes;
  /** The interval between searches for jobs that have become due. */
  readonly pollMs: number;
}

/** Creates a search, which starts with all lanes. */
export function createLaneSearch({
  database,
  lanes,
  pollMs,
  queue,
}: LaneSearchOptions): LaneSearch {
  let lastAt = 0;
  let nextAt = 0;
  let nextAllAt = 0;
  const search = async (now: number): Promise<void> => {
    if (now >= nextAllAt) {
      nextAllAt = now + allMs;
      return lanes.notice(await findLanes(database, queue));
    }
    const withinMs = now - lastAt + overlapMs;
    lanes.notice(await findDueLanes(database, queue, withinMs));
  };
  return {
    run: async () => {
      const now = performance.now();
      if (now < Math.min(nextAt, nextAllAt)) return;
      nextAt = now + pollMs;
      try {
        await search(now);
        lastAt = now;
      } catch (error) {
        nextAllAt = nextAt;
        throw error;
      }
    },
    requestAll: () => {
      nextAllAt = Math.min(nextAllAt, lastAt + pollMs);
    },
    expect: (afterMs) => {
      // The database's clock may be slightly behind.
      nextAt = Math.min(nextAt, performance.now() + afterMs + 10);
    },
    restMs: () => Math.max(Math.min(nextAt, nextAllAt) - performance.now(), 1),
  };
}
