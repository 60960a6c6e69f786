import { limitEnded } from "../database/ended-rows.js";
import type { Notifications } from "../database/notifications.js";
import type { Database } from "../database/schema.js";
import { createBatch } from "../process/concurrency/batch.js";
import { createFailureLog } from "../process/failures/failure-log.js";
import type { Stoppable } from "../process/lifecycle/keep-running.js";
import { readNotification } from "./enqueue.js";
import { createLaneSearch } from "./lane-search.js";
import { Lanes, nameOfPart } from "./lanes.js";
import {
  type FinishedJob,
  finishJobs,
  type LeasedJob,
  renewLeases,
  takeJobs,
} from "./leases.js";
import {
  type Finish,
  type Outcome,
  runJob,
  type RunningJob,
  type RunOptions,
} from "./run-job.js";
import { createWakeUp } from "./wake-up.js";

export type { Outcome } from "./run-job.js";

/** Options of a worker. */
export interface WorkerOptions extends RunOptions {
  /** The maximum number of concurrent jobs. */
  readonly concurrency: number;
  /**
   * The maximum number of concurrent jobs per lane. By default, there
   * is no limit.
   */
  readonly perLane?: number;
  /**
   * How many of the concurrent jobs are reserved for lanes without running jobs
   * whose last job was quick. The default is 0.
   */
  readonly reserved?: number;
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

/** The maximum number of jobs that are leased by one statement. */
const maxTaken = 32;

/**
 * Starts a worker that runs until it is stopped. If the database does not
 * respond, the worker keeps trying.
 */
export function startWorker(options: WorkerOptions): Stoppable {
  const { database, log, queue, concurrency, leaseMs } = options;
  const { perLane = concurrency, reserved = 0 } = options;
  const { pollMs = 500, graceMs = 10_000 } = options;
  const running = new Map<RunningJob, Promise<void>>();
  const lanes = new Lanes({ concurrency, perLane, reserved });
  const stopping = new AbortController();
  const finish = createFinish(options, stopping.signal);
  const looking = createFailureLog(log, "cannot look for jobs", { queue });
  const wakeUp = createWakeUp();
  const search = createLaneSearch({ database, queue, lanes, pollMs });
  let resumeMs = Infinity;

  const start = (job: LeasedJob): void => {
    const entry = { job, abort: new AbortController() };
    const startedAt = performance.now();
    const work = runJob(options, entry, finish).then((outcome) => {
      running.delete(entry);
      noteEnd(lanes, job, outcome, performance.now() - startedAt);
      if (outcome.kind === "retry") search.expect(outcome.afterMs);
      wakeUp.wake();
    });
    running.set(entry, work);
  };
  const takeSome = async (): Promise<boolean> => {
    await search.run();
    resumeMs = lanes.resume();
    const chosen = lanes.choose(maxTaken);
    if (chosen.size === 0) return false;
    const jobs = await takeJobs(database, queue, chosen, leaseMs);
    looking.clear();
    lanes.start(jobs.map(nameOfPart));
    for (const job of jobs) start(job);
    return true;
  };
  const loop = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const hasChosen = await takeSome().catch((error: unknown) => {
        looking.note(error);
        return false;
      });
      if (hasChosen) continue;
      await wakeUp.sleep(Math.min(resumeMs, search.restMs()));
    }
  };
  const stopRenewing = keepRenewing(options, running);
  const deafen = options.notifications?.listen((message) => {
    const noticed = readNotification(message, queue);
    if (noticed === null) search.requestAll();
    else lanes.notice(noticed);
    if (noticed?.length !== 0) wakeUp.wake();
  });
  const ended = loop();

  return {
    ended,
    stop: async () => {
      stopping.abort();
      deafen?.();
      wakeUp.wake();
      await ended;
      await settleAll(running, graceMs);
      stopRenewing();
    },
  };
}

/** Creates the function that deletes or keeps completed jobs. */
function createFinish(options: WorkerOptions, stopping: AbortSignal): Finish {
  const { database, keepsDone = false, queue } = options;
  const store = createBatch<FinishedJob>((jobs) =>
    finishJobs(database, jobs, keepsDone),
  );
  if (!keepsDone) return store;
  const noteDone = limitEnded({ ...options, stopping }, "done_jobs");
  return async (job) => {
    await store(job);
    // Meanwhile, the slots of other lanes are free.
    await noteDone(job.units, [queue, job.lane]);
  };
}

/** Waits for running jobs, and aborts them after some time. */
async function settleAll(
  running: ReadonlyMap<RunningJob, Promise<void>>,
  graceMs: number,
): Promise<void> {
  const late = setTimeout(() => {
    for (const { abort } of running.keys()) abort.abort();
  }, graceMs);
  await Promise.all(running.values());
  clearTimeout(late);
}

/** Records the end of a job and the pauses that follow it. */
function noteEnd(
  lanes: Lanes,
  job: LeasedJob,
  outcome: Outcome,
  durationMs: number,
): void {
  const isRetry = outcome.kind === "retry";
  const { lane = job.lane } = isRetry ? outcome : job;
  const byDefault = isRetry ? [] : [{ part: job.part, ms: 0 }];
  for (const { part, ms } of outcome.pauses ?? byDefault) {
    lanes.pause(nameOfPart({ lane, part }), ms);
  }
  lanes.end(nameOfPart(job), durationMs);
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
  database: Database,
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
