import { sql } from "kysely";
import type { Logger } from "pino";

import type { Database } from "../../database/schema.js";
import type { MasterKeys } from "../../keys/master-secret.js";
import { createShare } from "../../process/concurrency/share-work.js";
import type { Job } from "../../queue/leases.js";
import type { Outcome } from "../../queue/worker.js";
import { type Delivery, urgentPart } from "./index-blocks.js";
import { createPauses, pauseAfter, type RetrySchedule } from "./pauses.js";
import type {
  SendFailure,
  SendWebhook,
  WebhookTarget,
} from "./send-webhook.js";
import { webhookSecretsOf } from "./webhook-secret.js";

/** Retries with growing pauses for a day. */
export const defaultSchedule: RetrySchedule = {
  firstPauseMs: 5000,
  factor: 3,
  maxPauseMs: 3 * 60 * 60 * 1000,
  giveUpAfterMs: 24 * 60 * 60 * 1000,
};

/** Options for deliveries. */
export interface DeliverOptions {
  readonly database: Database;
  readonly log: Pick<Logger, "warn">;
  readonly keys: Pick<MasterKeys, "old" | "webhooks">;
  readonly send: SendWebhook;
  readonly schedule: RetrySchedule;
  /** Called once with a function that counts the listeners that keep failing. */
  readonly onStart?: (countFailing: () => number) => void;
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
  const { database, log, onOutcome, schedule, send } = options;
  const pauses = createPauses(schedule);
  options.onStart?.(pauses.countFailing);
  const share = createShare<ListenerTarget | null>();
  const findTarget = (id: number): Promise<ListenerTarget | null> =>
    share(String(id), () => readTarget(options, id));
  return async (job, signal) => {
    const startedAt = performance.now();
    // Only the indexer enqueues jobs in this queue.
    const { listenerId, notification } = job.payload as Delivery;
    const target = await findTarget(listenerId);
    if (target === null) {
      const reason = "not sent: the listener has ended or was deleted";
      return { kind: "done", reason };
    }
    const part = String(listenerId);
    // If a host does not respond, pause the host for all of the project's
    // listeners.
    const host = `${target.projectId} ${new URL(target.url).origin}`;
    const findPause = () => {
      const ms = Math.max(pauses.leftMs(host), pauses.leftMs(part));
      return { ms, next: { part, pauses: [{ part, ms }] } };
    };
    const { ms: afterMs, next } = findPause();
    if (afterMs > 0 && job.part !== urgentPart) {
      const reason =
        "paused: an earlier webhook to this listener or its host failed";
      // Do not count this as an attempt, because nothing was sent.
      return { kind: "retry", reason, afterMs, isTry: false, ...next };
    }
    const failure = await send(target, notification, signal);
    if (failure?.isGone === true) {
      await endListener(database, listenerId, target.url);
      return { kind: "done", reason: failure.reason };
    }
    if (failure === null) pauses.end(part);
    else if (pauses.extend(part, failure.retryAfterMs)) {
      const { chainId, projectId } = target;
      const facts = { projectId, chainId, listenerId, delivery: job.key };
      // Once for all webhooks until the listener receives one again.
      log.warn(
        { ...facts, reason: failure.reason },
        "webhooks to a listener are late",
      );
    }
    if (failure?.isSilent === true) pauses.extend(host, 0);
    else pauses.end(host);
    const ageMs = job.ageMs + performance.now() - startedAt;
    const outcome: Outcome =
      failure === null
        ? { kind: "done" }
        : again({ ...job, ageMs }, failure, schedule);
    onOutcome(target.chainId, outcome.kind, ageMs);
    return { ...outcome, ...findPause().next };
  };
}

function again(
  { ageMs, attempts }: Job,
  { reason, retryAfterMs }: SendFailure,
  schedule: RetrySchedule,
): Outcome {
  // Add jitter, so that deliveries that failed together are not retried
  // together. No pause exceeds the schedule.
  const jitter = 0.75 + Math.random() / 4;
  const leastMs = pauseAfter(attempts, schedule) * jitter;
  const leftMs = schedule.giveUpAfterMs - ageMs;
  if (leastMs > leftMs) return { kind: "dead", reason };
  const mostMs = Math.min(schedule.maxPauseMs, leftMs);
  const afterMs = Math.max(leastMs, Math.min(retryAfterMs, mostMs));
  return { kind: "retry", afterMs, reason };
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
 * Webhooks specifies, unless the listener has another URL by now.
 */
async function endListener(
  database: Database,
  listenerId: number,
  url: string,
): Promise<void> {
  await database
    .updateTable("webhook_listeners")
    .set({ active: false, updated_at: sql<Date>`now()` })
    .where("id", "=", listenerId)
    .where("url", "=", url)
    .execute();
}
