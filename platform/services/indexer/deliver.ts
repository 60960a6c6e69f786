import { type Kysely, sql } from "kysely";

import type { Tables } from "../../database/schema.js";
import type { MasterKeys } from "../../keys/master-secret.js";
import { createShare } from "../../process/share-work.js";
import type { Job } from "../../queue/leases.js";
import type { Outcome } from "../../queue/worker.js";
import type { Delivery } from "./index-blocks.js";
import { createPauses } from "./pauses.js";
import type { SendWebhook, WebhookTarget } from "./send-webhook.js";
import { webhookSecretsOf } from "./webhook-secret.js";

/** The schedule for retrying failed deliveries. */
export interface RetrySchedule {
  readonly firstPauseMs: number;
  /** The factor by which each pause grows. */
  readonly factor: number;
  readonly maxPauseMs: number;
  /** How long to keep retrying before giving up. */
  readonly giveUpAfterMs: number;
}

/** Retries with growing pauses for a day. */
export const defaultSchedule: RetrySchedule = {
  firstPauseMs: 5000,
  factor: 3,
  maxPauseMs: 3 * 60 * 60 * 1000,
  giveUpAfterMs: 24 * 60 * 60 * 1000,
};

/** Options for deliveries. */
export interface DeliverOptions {
  readonly database: Kysely<Tables>;
  readonly keys: Pick<MasterKeys, "webhooks">;
  readonly send: SendWebhook;
  readonly schedule: RetrySchedule;
  /**
   * Called after each attempt that does not end the listener, with the chain,
   * the outcome, and the job's age.
   */
  readonly onOutcome: (
    chainId: number,
    kind: Outcome["kind"],
    delayMs: number,
  ) => void;
}

interface ListenerTarget extends WebhookTarget {
  readonly chainId: number;
}

/** Creates a function that delivers a job's notification to its listener. */
export function createDeliver(
  options: DeliverOptions,
): (job: Job, signal: AbortSignal) => Promise<Outcome> {
  const { database, onOutcome, schedule, send } = options;
  const pauses = createPauses();
  const share = createShare<ListenerTarget | null>();
  const findTarget = (id: number): Promise<ListenerTarget | null> =>
    share(String(id), () => readTarget(options, id));
  return async (job, signal) => {
    // Only the indexer enqueues jobs in this queue.
    const { listenerId, notification } = job.payload as Delivery;
    const target = await findTarget(listenerId);
    if (target === null) {
      const reason = "not sent: the listener has ended or was deleted";
      return { kind: "done", reason };
    }
    // If a host does not respond, pause the host for all of the project's
    // listeners.
    const listener = String(listenerId);
    const host = `${target.projectId} ${new URL(target.url).origin}`;
    if (pauses.isPaused(host) || pauses.isPaused(listener)) {
      const paused =
        "paused: an earlier webhook to this listener or its host failed";
      // Do not count this as an attempt, because nothing was sent.
      return { ...again(job, paused, schedule), isTry: false };
    }
    const failure = await send(target, notification, signal);
    if (failure?.isGone === true) {
      await endListener(database, listenerId);
      return { kind: "done", reason: failure.reason };
    }
    const pauseMs = failure === null ? 0 : pauseOf(job, schedule);
    pauses.note(listener, Math.max(pauseMs, failure?.retryAfterMs ?? 0));
    pauses.note(host, failure?.isSilent === true ? pauseMs : 0);
    const outcome: Outcome =
      failure === null
        ? { kind: "done" }
        : again(job, failure.reason, schedule, failure.retryAfterMs);
    onOutcome(target.chainId, outcome.kind, ageOf(job));
    return outcome;
  };
}

function again(
  job: Job,
  reason: string,
  schedule: RetrySchedule,
  retryAfterMs = 0,
): Outcome {
  // Add jitter, so that deliveries that failed together are not retried
  // together. No pause exceeds the schedule.
  const jitter = 0.75 + Math.random() / 4;
  const leastMs = pauseOf(job, schedule) * jitter;
  const leftMs = schedule.giveUpAfterMs - ageOf(job);
  if (leastMs > leftMs) return { kind: "dead", reason };
  const mostMs = Math.min(schedule.maxPauseMs, leftMs);
  const pauseMs = Math.max(leastMs, Math.min(retryAfterMs, mostMs));
  return { kind: "retry", at: new Date(Date.now() + pauseMs), reason };
}

/**
 * Returns the next pause. Pauses grow with the age of the job, up to a limit.
 */
function pauseOf(job: Job, schedule: RetrySchedule): number {
  const { factor, firstPauseMs, maxPauseMs } = schedule;
  const growing = firstPauseMs + (factor - 1) * ageOf(job);
  return Math.min(growing, maxPauseMs);
}

function ageOf({ createdAt }: Job): number {
  return Math.max(Date.now() - createdAt.getTime(), 0);
}

/** Reads the target of a listener. Returns null if it is no longer active. */
async function readTarget(
  { database, keys }: DeliverOptions,
  listenerId: number,
): Promise<ListenerTarget | null> {
  const row = await database
    .selectFrom("webhook_listeners")
    .innerJoin("projects", "projects.id", "webhook_listeners.project_id")
    .selectAll("projects")
    .select(["webhook_listeners.url", "webhook_listeners.chain_id"])
    .where("webhook_listeners.id", "=", listenerId)
    .where("webhook_listeners.active", "=", true)
    .where("webhook_listeners.deleted_at", "is", null)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { chain_id: chainId, id: projectId, url } = row;
  return { chainId, projectId, url, secrets: webhookSecretsOf(keys, row) };
}

/**
 * Deactivates a listener whose receiver responded with 410, as Standard
 * Webhooks specifies.
 */
async function endListener(
  database: Kysely<Tables>,
  listenerId: number,
): Promise<void> {
  await database
    .updateTable("webhook_listeners")
    .set({ active: false, updated_at: sql<Date>`now()` })
    .where("id", "=", listenerId)
    .execute();
}
