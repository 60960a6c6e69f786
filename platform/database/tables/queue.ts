import type { ColumnType, Generated } from "kysely";

import type { CreatedAt } from "./keys.js";

/** Tables of the queues. */
export interface QueueTables {
  readonly jobs: JobTable;
  readonly done_jobs: DoneJobTable;
}

/** What is to be done. A job that is done is gone. */
export interface JobTable {
  readonly id: Generated<number>;
  readonly queue: string;
  /** Says which job of the queue it is: none is there twice. */
  readonly key: string;
  /** Jobs with the same one run one after the other; null: whenever. */
  readonly sequence: string | null;
  /** Whose job it is: each lane gets its share of a worker. */
  readonly lane: Generated<string>;
  readonly payload: unknown;
  /** When it may be taken; of one that is taken, when the lease ends. */
  run_at: Date;
  /** Made up by the worker that has taken it; null: none has. */
  lease: string | null;
  /** How often it has been taken. */
  attempts: Generated<number>;
  /** Why it was not done the last time. */
  reason: string | null;
  /** Its last attempts that failed, the oldest first. */
  readonly history: Generated<readonly Attempt[]>;
  /** When it was enqueued, or replayed. */
  created_at: ColumnType<Date, Date | undefined, Date>;
  /** Since when nobody tries any more; null: it is still tried. */
  dead_at: Date | null;
}

/** An attempt to do a job. */
export interface Attempt {
  /** When it began: ISO 8601. */
  readonly at: string;
  /** How long it took. */
  readonly durationMs: number;
  /** Why it failed; null: it did not. */
  readonly reason: string | null;
}

/** The last jobs that were done, of queues that keep them. */
export interface DoneJobTable {
  /** That of the job. */
  readonly id: number;
  readonly queue: string;
  readonly key: string;
  readonly lane: string;
  readonly payload: unknown;
  readonly attempts: number;
  readonly history: readonly Attempt[];
  readonly created_at: Date;
  readonly done_at: CreatedAt;
}
