import { setTimeout as sleep } from "node:timers/promises";

import type { Kysely } from "kysely";
import type { Logger } from "pino";

import type { Notifications } from "../database/notifications.js";
import type { Tables } from "../database/schema.js";
import type { Stoppable } from "../process/keep-running.js";
import { createBatch } from "./batch.js";
import {
  buryJob,
  finishJobs,
  type Job,
  type LeasedJob,
  postponeJob,
  renewLeases,
  takeJobs,
} from "./leases.js";
import { createWakeUp } from "./wake-up.js";

/** What has become of a job. */
export type Outcome =
  | { readonly kind: "done" }
  /** It is tried again at that time. */
  | { readonly kind: "retry"; readonly at: Date; readonly reason: string }
  /** It is tried no more, unless it is replayed. */
  | { readonly kind: "dead"; readonly reason: string };

/** What a worker does, and for which queue. */
export interface WorkerOptions {
  readonly database: Kysely<Tables>;
  readonly log: Logger;
  readonly queue: string;
  /** How many jobs at a time. */
  readonly concurrency: number;
  /** After that long without a sign of life, others take its jobs over. */
  readonly leaseMs: number;
  /**
   * Does a job, which may have been done before by a worker that was killed. If
   * it rejects, the job is tried again. The signal says that it is too late: the
   * worker is to end, or the job is another's.
   */
  readonly handle: (job: Job, signal: AbortSignal) => Promise<Outcome>;
  /** Wakes it for new jobs, of its own process and of others. */
  readonly notifications?: Notifications;
  /** How often it looks without being woken; 500 unless given. */
  readonly pollMs?: number;
  /** How long running jobs may take when it is stopped; 10,000 unless given. */
  readonly graceMs?: number;
}

interface RunningJob {
  readonly job: LeasedJob;
  readonly abort: AbortController;
}

/** Deletes a job that is done; many that are done at once, together. */
type Finish = (job: LeasedJob) => Promise<void>;

/** A handler that rejects is tried again so many times. */
const maxFailures = 20;

/** The longest pause before that. */
const maxPauseMs = 300_000;

/** Between two tries to say what has become of a job. */
const settlePauseMs = 250;

/** Starts to work, until it is stopped. A lost database is waited for. */
export function startWorker(options: WorkerOptions): Stoppable {
  const { database, log, queue, concurrency, leaseMs } = options;
  const { pollMs = 500, graceMs = 10_000 } = options;
  const running = new Map<RunningJob, Promise<void>>();
  const finish = createBatch<LeasedJob>((jobs) => finishJobs(database, jobs));
  const wakeUp = createWakeUp();
  let isStopping = false;
  /** When the next job is due that this worker has given back. */
  let dueAt = Infinity;

  const start = (job: LeasedJob): void => {
    const entry = { job, abort: new AbortController() };
    const work = runJob(options, entry, finish).then((outcome) => {
      if (outcome.kind === "retry") {
        // By the clock of the database it may be a moment later.
        dueAt = Math.min(dueAt, outcome.at.getTime() + 10);
      }
      running.delete(entry);
      wakeUp.wake();
    });
    running.set(entry, work);
  };
  const takeSome = async (): Promise<boolean> => {
    const free = concurrency - running.size;
    if (free === 0) return false;
    const jobs = await takeJobs(database, queue, free, leaseMs);
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

/** Does a job, and writes down what has become of it. */
async function runJob(
  options: WorkerOptions,
  { job, abort }: RunningJob,
  finish: Finish,
): Promise<Outcome> {
  const { handle, leaseMs, log, queue } = options;
  const facts = { queue, key: job.key, attempts: job.attempts };
  let outcome: Outcome;
  try {
    outcome = await handle(job, abort.signal);
  } catch (error) {
    const isLate = abort.signal.aborted;
    if (!isLate) log.error({ ...facts, err: error }, "the job has failed");
    outcome = outcomeOfFailure(error, job.attempts, isLate);
  }
  if (outcome.kind === "dead") {
    log.warn({ ...facts, reason: outcome.reason }, "the job is given up");
  }
  const deadline = performance.now() + leaseMs;
  while (!(await settle(options, job, outcome, finish))) {
    // Later, it is another's anyway, and is done again.
    if (performance.now() > deadline) break;
    await sleep(settlePauseMs);
  }
  return outcome;
}

function outcomeOfFailure(
  error: unknown,
  attempts: number,
  isLate: boolean,
): Outcome {
  const reason = error instanceof Error ? error.message : String(error);
  if (isLate) return { kind: "retry", at: new Date(), reason };
  if (attempts >= maxFailures) return { kind: "dead", reason };
  const pauseMs = Math.min(1000 * 2 ** (attempts - 1), maxPauseMs);
  return { kind: "retry", at: new Date(Date.now() + pauseMs), reason };
}

/** Output: false when the database cannot be told. */
async function settle(
  { database, log, queue }: WorkerOptions,
  job: LeasedJob,
  outcome: Outcome,
  finish: Finish,
): Promise<boolean> {
  try {
    await writeOutcome(database, job, outcome, finish);
    return true;
  } catch (error) {
    const facts = { queue, key: job.key, outcome: outcome.kind };
    log.warn({ ...facts, err: error }, "cannot say what became of the job");
    return false;
  }
}

function writeOutcome(
  database: Kysely<Tables>,
  job: LeasedJob,
  outcome: Outcome,
  finish: Finish,
): Promise<void> {
  switch (outcome.kind) {
    case "done":
      return finish(job);
    case "retry": {
      const delayMs = outcome.at.getTime() - Date.now();
      return postponeJob(database, job, delayMs, outcome.reason);
    }
    case "dead":
      return buryJob(database, job, outcome.reason);
  }
}
