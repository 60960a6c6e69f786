import type { ColumnType, Generated } from "kysely";

import type { CreatedAt } from "./keys.js";

/**
 * Pending and dead jobs. A completed job is deleted, or moved to `done_jobs`.
 */
export interface JobTable {
  readonly id: Generated<number>;
  readonly queue: string;
  /** Identifies the job. It is unique in the queue. */
  readonly key: string;
  /** Jobs with the same sequence run one at a time; null means no sequence. */
  readonly sequence: string | null;
  /** The owner of the job. Workers share their capacity fairly among lanes. */
  lane: Generated<string>;
  /** The part of the lane, which can be paused on its own. */
  part: Generated<string>;
  payload: unknown;
  /** How many units of 8 KiB the payload has, which limits count. */
  readonly units: Generated<number>;
  /** When the job is due. If it is leased, when it was due. */
  due_at: Generated<Date>;
  /** When the job is due or, if it is leased, when the lease expires. */
  run_at: Date;
  /** The ID of the worker's lease, or null if the job is not leased. */
  lease: string | null;
  /** The number of attempts. */
  attempts: Generated<number>;
  /** The reason why the last attempt failed or was postponed. */
  reason: string | null;
  /** The last failed attempts, oldest first. */
  readonly history: Generated<readonly Attempt[]>;
  /** The time when the job was enqueued or replayed. */
  created_at: ColumnType<Date, Date | undefined, Date>;
  /** When the worker gave up on the job, or null if that has not happened. */
  dead_at: Date | null;
}

/** An attempt to run a job. */
export interface Attempt {
  /** The start time, in ISO 8601. */
  readonly at: string;
  readonly durationMs: number;
  /** The reason why it failed, or null if it succeeded. */
  readonly reason: string | null;
}

/** The most recently completed jobs of queues that keep them. */
export interface DoneJobTable {
  /** The ID of the job. */
  readonly id: number;
  readonly queue: string;
  readonly key: string;
  readonly lane: string;
  readonly payload: unknown;
  readonly units: Generated<number>;
  readonly attempts: number;
  readonly history: readonly Attempt[];
  readonly created_at: Date;
  readonly done_at: CreatedAt;
}
