import type { ColumnType, Generated } from "kysely";

/** Table of the queues. */
export interface QueueTables {
  readonly jobs: JobTable;
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
  /** When it was enqueued, or replayed. */
  created_at: ColumnType<Date, Date | undefined, Date>;
  /** Since when nobody tries any more; null: it is still tried. */
  dead_at: Date | null;
}
