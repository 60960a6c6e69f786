import { setTimeout as sleep } from "node:timers/promises";

import type { Kysely } from "kysely";
import type { Logger } from "pino";

import type { Tables } from "../database/schema.js";
import {
  buryJob,
  type FinishedJob,
  type Job,
  type LeasedJob,
  postponeJob,
} from "./leases.js";

/** What has become of a job. */
export type Outcome =
  | { readonly kind: "done" }
  /** It is tried again at that time. */
  | {
      readonly kind: "retry";
      readonly at: Date;
      readonly reason: string;
      /** False: the worker was stopped, and this was no attempt. */
      readonly isTry?: boolean;
    }
  /** It is tried no more, unless it is replayed. */
  | { readonly kind: "dead"; readonly reason: string };

/** What it takes to do a job. */
export interface RunOptions {
  readonly database: Kysely<Tables>;
  readonly log: Logger;
  readonly queue: string;
  /** After that long without a sign of life, others take its jobs over. */
  readonly leaseMs: number;
  /**
   * Does a job, which may have been done before by a worker that was killed. If
   * it rejects, the job is tried again. The signal says that it is too late: the
   * worker is to end, or the job is another's.
   */
  readonly handle: (job: Job, signal: AbortSignal) => Promise<Outcome>;
  /** Hears of a job that is given up, before it is laid aside. */
  readonly onDead?: (job: Job) => Promise<void>;
}

/** A job that is being done. */
export interface RunningJob {
  readonly job: LeasedJob;
  readonly abort: AbortController;
}

/** Deletes a job that is done; many that are done at once, together. */
export type Finish = (job: FinishedJob) => Promise<void>;

/** A handler that rejects is tried again so many times. */
const maxFailures = 20;

/** The longest pause before that. */
const maxPauseMs = 300_000;

/** Between two tries to say what has become of a job. */
const settlePauseMs = 250;

/** Does a job, and writes down what has become of it. */
export async function runJob(
  options: RunOptions,
  { job, abort }: RunningJob,
  finish: Finish,
): Promise<Outcome> {
  const { handle, leaseMs, log, queue } = options;
  const facts = { queue, key: job.key, attempts: job.attempts };
  const startedAt = performance.now();
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
  const endedAt = performance.now();
  const finished = { ...job, durationMs: Math.round(endedAt - startedAt) };
  const deadline = endedAt + leaseMs;
  while (!(await settle(options, finished, outcome, finish))) {
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
  if (isLate) return { kind: "retry", at: new Date(), reason, isTry: false };
  if (attempts >= maxFailures) return { kind: "dead", reason };
  const pauseMs = Math.min(1000 * 2 ** (attempts - 1), maxPauseMs);
  return { kind: "retry", at: new Date(Date.now() + pauseMs), reason };
}

/** Output: false when the database cannot be told. */
async function settle(
  options: RunOptions,
  job: LeasedJob & FinishedJob,
  outcome: Outcome,
  finish: Finish,
): Promise<boolean> {
  const { log, queue } = options;
  try {
    await writeOutcome(options, job, outcome, finish);
    return true;
  } catch (error) {
    const facts = { queue, key: job.key, outcome: outcome.kind };
    log.warn({ ...facts, err: error }, "cannot say what became of the job");
    return false;
  }
}

async function writeOutcome(
  { database, onDead }: RunOptions,
  job: LeasedJob & FinishedJob,
  outcome: Outcome,
  finish: Finish,
): Promise<void> {
  const { durationMs } = job;
  switch (outcome.kind) {
    case "done":
      return finish(job);
    case "retry": {
      const { at, isTry = true, reason } = outcome;
      const delayMs = at.getTime() - Date.now();
      return postponeJob(database, job, delayMs, { durationMs, reason }, isTry);
    }
    case "dead":
      await onDead?.(job);
      return buryJob(database, job, { durationMs, reason: outcome.reason });
  }
}
