import { setTimeout as sleep } from "node:timers/promises";

import type { Logger } from "pino";

import type { Database } from "../database/schema.js";
import { factsOf, reasonOf } from "../process/failures/error-facts.js";
import {
  createFailureLog,
  type FailureLog,
} from "../process/failures/failure-log.js";
import { toExcerpt } from "../process/failures/to-excerpt.js";
import {
  buryJob,
  type FinishedJob,
  type Job,
  type LeasedJob,
  type NextRun,
  postponeJob,
} from "./leases.js";

/** Pauses a part of the job's next lane, or ends its pause if the time is 0. */
export interface PartPause {
  readonly part: string;
  readonly ms: number;
}

/** The result of an attempt to run a job. */
export type Outcome = {
  /** The default ends the pause of the job's part, unless it is tried again. */
  readonly pauses?: readonly PartPause[];
} & (
  | {
      readonly kind: "done";
      /** Why the job is complete although its work was not done. */
      readonly reason?: string;
    }
  /** The job is tried again after some time. */
  | ({
      readonly kind: "retry";
      readonly reason: string;
    } & Pick<NextRun, "afterMs" | "payload"> &
      // By default, it stays in its part, and this counts as an attempt.
      Partial<NextRun>)
  /** The job is not tried again unless it is replayed. */
  | { readonly kind: "dead"; readonly reason: string }
);

/** Options for running jobs. */
export interface RunOptions {
  readonly database: Database;
  readonly log: Logger;
  readonly queue: string;
  /**
   * If a worker has not renewed its leases for this long, others take over its
   * jobs.
   */
  readonly leaseMs: number;
  /**
   * Runs a job. A worker that was killed may already have run it. If the
   * promise rejects, the job is tried again. The signal is aborted if the
   * worker must stop or has lost the lease.
   */
  readonly handle: (job: Job, signal: AbortSignal) => Promise<Outcome>;
  /**
   * Called with a job that will not be retried, before it is marked as dead.
   */
  readonly onDead?: (job: Job) => Promise<void>;
}

/** A job that is running. */
export interface RunningJob {
  readonly job: LeasedJob;
  readonly abort: AbortController;
}

/**
 * Deletes a completed job. Jobs that complete together are deleted together.
 */
export type Finish = (job: FinishedJob) => Promise<void>;

/** The number of attempts before a job is given up if its handler rejects. */
const maxFailures = 20;

/** The maximum pause between attempts. */
const maxPauseMs = 300_000;

/** The pause between attempts to store a job's result. */
const settlePauseMs = 250;

/** Runs a job and stores its result. */
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
    if (!isLate) log.error({ ...facts, ...factsOf(error) }, "the job failed");
    outcome = outcomeOfFailure(error, job.attempts, isLate);
  }
  if (outcome.kind === "dead") {
    log.warn({ ...facts, reason: outcome.reason }, "the job was given up");
  }
  const endedAt = performance.now();
  const finished = { ...job, durationMs: Math.round(endedAt - startedAt) };
  const deadline = endedAt + leaseMs;
  const failures = createFailureLog(log, "cannot store the result of the job", {
    queue,
    key: job.key,
    outcome: outcome.kind,
  });
  const write = () => writeOutcome(options, finished, outcome, finish);
  while (!(await settle(write, failures))) {
    // After the deadline, another worker leases the job and runs it again.
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
  const reason = reasonOf(error);
  if (isLate) return { kind: "retry", afterMs: 0, reason, isTry: false };
  if (attempts >= maxFailures) return { kind: "dead", reason };
  const afterMs = Math.min(1000 * 2 ** (attempts - 1), maxPauseMs);
  return { kind: "retry", afterMs, reason };
}

/** A job and the duration of the attempt that has just ended. */
interface EndedJob extends LeasedJob {
  readonly durationMs: number;
}

/** Stores a result. Returns false if this fails. */
async function settle(
  write: () => Promise<void>,
  failures: FailureLog,
): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    failures.note(error);
    return false;
  }
}

async function writeOutcome(
  { database, onDead }: RunOptions,
  job: EndedJob,
  outcome: Outcome,
  finish: Finish,
): Promise<void> {
  const { durationMs } = job;
  const reason = toExcerpt(outcome.reason ?? "");
  switch (outcome.kind) {
    case "done":
      return finish({ ...job, reason: reason === "" ? null : reason });
    case "retry": {
      const { lane, part } = job;
      const next = { lane, part, isTry: true, ...outcome };
      return postponeJob(database, job, next, { durationMs, reason });
    }
    case "dead":
      await onDead?.(job);
      return buryJob(database, job, { durationMs, reason });
  }
}
