import type { Kysely } from "kysely";

import type { Notifications } from "../database/notifications.js";
import type { Tables } from "../database/schema.js";
import { createBatch } from "../process/batch.js";
import { createFailureLog } from "../process/failure-log.js";
import type { Stoppable } from "../process/keep-running.js";
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

/** Options of a worker. */
export interface WorkerOptions extends RunOptions {
  /** The maximum number of concurrent jobs. */
  readonly concurrency: number;
  /**
   * The maximum number of concurrent jobs per lane. By default, there is no
   * limit.
   */
  readonly perLane?: number;
  /** Whether completed jobs are kept for some time. */
  readonly keepsDone?: boolean;
  /** Wakes the worker when this process or another one adds jobs. */
  readonly notifications?: Notifications;
  /**
   * The interval between checks for jobs if nothing wakes the worker. The
   * default is 500.
   */
  readonly pollMs?: number;
  /**
   * How long running jobs can continue after the worker is stopped, before they
   * are aborted. The default is 10,000.
   */
  readonly graceMs?: number;
}

/**
 * Starts a worker that runs until it is stopped. If the database does not
 * respond, the worker keeps trying.
 */
export function startWorker(options: WorkerOptions): Stoppable {
  const { database, keepsDone, log, queue, concurrency, leaseMs } = options;
  const { perLane = concurrency, pollMs = 500, graceMs = 10_000 } = options;
  const running = new Map<RunningJob, Promise<void>>();
  const finish = createBatch<FinishedJob>((jobs) =>
    finishJobs(database, jobs, keepsDone === true),
  );
  const looking = createFailureLog(log, "cannot look for jobs", { queue });
  const wakeUp = createWakeUp();
  let isStopping = false;
  /** When the next job that this worker has released is due. */
  let dueAt = Infinity;

  const start = (job: LeasedJob): void => {
    const entry = { job, abort: new AbortController() };
    const work = runJob(options, entry, finish).then((outcome) => {
      // The database's clock may be slightly behind.
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
    looking.clear();
    for (const job of jobs) start(job);
    return jobs.length > 0;
  };
  const loop = async (): Promise<void> => {
    while (!isStopping) {
      const hasTaken = await takeSome().catch((error: unknown) => {
        looking.note(error);
        return false;
      });
      if (hasTaken) continue;
      const pauseMs = Math.min(pollMs, Math.max(dueAt - Date.now(), 1));
      await wakeUp.sleep(pauseMs);
      if (dueAt <= Date.now()) dueAt = Infinity;
    }
  };
  const stopRenewing = keepRenewing(options, running);
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
      stopRenewing();
    },
  };
}

/**
 * Renews the leases of running jobs regularly. Returns a function that stops
 * it.
 */
function keepRenewing(
  { database, leaseMs, log, queue }: WorkerOptions,
  running: ReadonlyMap<RunningJob, unknown>,
): () => void {
  const message = "cannot extend the leases of jobs";
  const failures = createFailureLog(log, message, { queue });
  const timer = setInterval(() => {
    renew(database, [...running.keys()], leaseMs).then(
      failures.clear,
      failures.note,
    );
  }, leaseMs / 3);
  return () => clearInterval(timer);
}

async function renew(
  database: Kysely<Tables>,
  running: readonly RunningJob[],
  leaseMs: number,
): Promise<void> {
  if (running.length === 0) return;
  const leases = running.map(({ job }) => job);
  const renewed = await renewLeases(database, leases, leaseMs);
  for (const { job, abort } of running) {
    if (!renewed.has(job.id)) abort.abort();
  }
}
