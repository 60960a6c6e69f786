import type { Kysely } from "kysely";

import type { Notifications } from "../database/notifications.js";
import type { Tables } from "../database/schema.js";
import type { Stoppable } from "../process/keep-running.js";
import { createBatch } from "./batch.js";
import {
  type FinishedJob,
  finishJobs,
  type LeasedJob,
  renewLeases,
  takeJobs,
} from "./leases.js";
import { runJob, type RunningJob, type RunOptions } from "./run-job.js";
import { createWakeUp } from "./wake-up.js";

export type { Outcome } from "./run-job.js";

/** What a worker does, and for which queue. */
export interface WorkerOptions extends RunOptions {
  /** How many jobs at a time. */
  readonly concurrency: number;
  /** How many of them may be of one lane; all unless given. */
  readonly perLane?: number;
  /** Whether jobs that are done can still be seen for some time. */
  readonly keepsDone?: boolean;
  /** Wakes it for new jobs, of its own process and of others. */
  readonly notifications?: Notifications;
  /** How often it looks without being woken; 500 unless given. */
  readonly pollMs?: number;
  /** How long running jobs may take when it is stopped; 10,000 unless given. */
  readonly graceMs?: number;
}

/** Starts to work, until it is stopped. A lost database is waited for. */
export function startWorker(options: WorkerOptions): Stoppable {
  const { database, keepsDone, log, queue, concurrency, leaseMs } = options;
  const { perLane = concurrency, pollMs = 500, graceMs = 10_000 } = options;
  const running = new Map<RunningJob, Promise<void>>();
  const finish = createBatch<FinishedJob>((jobs) =>
    finishJobs(database, jobs, keepsDone === true),
  );
  const wakeUp = createWakeUp();
  let isStopping = false;
  /** When the next job is due that this worker has given back. */
  let dueAt = Infinity;

  const start = (job: LeasedJob): void => {
    const entry = { job, abort: new AbortController() };
    const work = runJob(options, entry, finish).then((outcome) => {
      // By the clock of the database it may be a moment later.
      if (outcome.kind === "retry")
        dueAt = Math.min(dueAt, outcome.at.getTime() + 10);
      running.delete(entry);
      wakeUp.wake();
    });
    running.set(entry, work);
  };
  const takeSome = async (): Promise<boolean> => {
    const count = concurrency - running.size;
    if (count === 0) return false;
    const lanes = [...running.keys()].map(({ job }) => job.lane);
    const share = { count, perLane, running: lanes };
    const jobs = await takeJobs(database, queue, share, leaseMs);
    for (const job of jobs) start(job);
    return jobs.length > 0;
  };
  const loop = async (): Promise<void> => {
    while (!isStopping) {
      const hasTaken = await takeSome().catch((error: unknown) => {
        log.warn({ err: error, queue }, "cannot ask for jobs");
        return false;
      });
      if (hasTaken) continue;
      const pauseMs = Math.min(pollMs, Math.max(dueAt - Date.now(), 1));
      await wakeUp.sleep(pauseMs);
      if (dueAt <= Date.now()) dueAt = Infinity;
    }
  };
  const renewing = setInterval(() => {
    renew(database, [...running.keys()], leaseMs).catch((error: unknown) => {
      log.warn({ err: error, queue }, "cannot keep the jobs for longer");
    });
  }, leaseMs / 3);
  const deafen = options.notifications?.listen((name) => {
    if (name === null || name === queue) wakeUp.wake();
  });
  const ended = loop();

  return {
    ended,
    stop: async () => {
      isStopping = true;
      deafen?.();
      wakeUp.wake();
      await ended;
      const late = setTimeout(() => {
        for (const { abort } of running.keys()) abort.abort();
      }, graceMs);
      await Promise.all(running.values());
      clearTimeout(late);
      clearInterval(renewing);
    },
  };
}

async function renew(
  database: Kysely<Tables>,
  running: readonly RunningJob[],
  leaseMs: number,
): Promise<void> {
  if (running.length === 0) return;
  const leases = running.map(({ job }) => job);
  const kept = await renewLeases(database, leases, leaseMs);
  for (const { job, abort } of running) {
    if (!kept.has(job.id)) abort.abort();
  }
}
