import { type Kysely, sql } from "kysely";

import type { Tables } from "../../database/schema.js";
import type { MasterKeys } from "../../keys/master-secret.js";
import type { Job } from "../../queue/leases.js";
import type { Outcome } from "../../queue/worker.js";
import { createShare } from "../metadata/share-work.js";
import type { Delivery } from "./index-blocks.js";
import { createRests } from "./rests.js";
import type { SendWebhook, WebhookTarget } from "./send-webhook.js";
import { webhookSecretsOf } from "./webhook-secret.js";

/** When what was not received is sent again. */
export interface RetrySchedule {
  readonly firstPauseMs: number;
  /** Each pause is so many times as long as the one before. */
  readonly factor: number;
  readonly maxPauseMs: number;
  /** After that it is sent no more. */
  readonly giveUpAfterMs: number;
}

/** Growing pauses, for a day. */
export const usualSchedule: RetrySchedule = {
  firstPauseMs: 5000,
  factor: 3,
  maxPauseMs: 3 * 60 * 60 * 1000,
  giveUpAfterMs: 24 * 60 * 60 * 1000,
};

/** How deliveries are made. */
export interface DeliverOptions {
  readonly database: Kysely<Tables>;
  readonly keys: Pick<MasterKeys, "webhooks">;
  readonly send: SendWebhook;
  readonly schedule: RetrySchedule;
  /** Hears of each outcome, and how long after the block it came. */
  readonly onOutcome: (kind: Outcome["kind"], delayMs: number) => void;
}

/** Makes what delivers the notification of a job to its listener. */
export function createDeliver(
  options: DeliverOptions,
): (job: Job, signal: AbortSignal) => Promise<Outcome> {
  const { database, onOutcome, schedule, send } = options;
  const rests = createRests();
  const share = createShare<WebhookTarget | null>();
  const findTarget = (id: number): Promise<WebhookTarget | null> =>
    share(String(id), () => readTarget(options, id));
  return async (job, signal) => {
    // Only we enqueue jobs here.
    const { listenerId, notification } = job.payload as Delivery;
    const target = await findTarget(listenerId);
    // Removed meanwhile, it does not want to hear of it any more.
    if (target === null) return { kind: "done" };
    // A host without an answer rests for all listeners of the project.
    const listener = String(listenerId);
    const host = `${target.projectId} ${new URL(target.url).origin}`;
    if (rests.isResting(host) || rests.isResting(listener)) {
      const paused = "its listener did not receive another one";
      // Nothing was sent, so this is no attempt.
      return { ...again(job, paused, schedule), isTry: false };
    }
    const failure = await send(target, notification, signal);
    if (failure?.isGone === true) {
      await endListener(database, listenerId);
      return { kind: "done" };
    }
    const pauseMs = failure === null ? 0 : pauseOf(job, schedule);
    rests.note(listener, pauseMs);
    rests.note(host, failure?.isSilent === true ? pauseMs : 0);
    const outcome: Outcome =
      failure === null
        ? { kind: "done" }
        : again(job, failure.reason, schedule);
    onOutcome(outcome.kind, ageOf(job));
    return outcome;
  };
}

function again(job: Job, reason: string, schedule: RetrySchedule): Outcome {
  // Not all at once: what has failed together would fail together again.
  const jitter = 0.75 + Math.random() / 2;
  const pauseMs = pauseOf(job, schedule) * jitter;
  return ageOf(job) + pauseMs > schedule.giveUpAfterMs
    ? { kind: "dead", reason }
    : { kind: "retry", at: new Date(Date.now() + pauseMs), reason };
}

/** Each pause is so many times as long as the one before, as all are counted. */
function pauseOf(job: Job, schedule: RetrySchedule): number {
  const { factor, firstPauseMs, maxPauseMs } = schedule;
  const growing = firstPauseMs + (factor - 1) * ageOf(job);
  return Math.min(growing, maxPauseMs);
}

function ageOf({ createdAt }: Job): number {
  return Math.max(Date.now() - createdAt.getTime(), 0);
}

/** Output: null when it does not listen any more. */
async function readTarget(
  { database, keys }: DeliverOptions,
  listenerId: number,
): Promise<WebhookTarget | null> {
  const row = await database
    .selectFrom("webhook_listeners")
    .innerJoin("projects", "projects.id", "webhook_listeners.project_id")
    .selectAll("projects")
    .select("webhook_listeners.url")
    .where("webhook_listeners.id", "=", listenerId)
    .where("webhook_listeners.active", "=", true)
    .where("webhook_listeners.deleted_at", "is", null)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { id: projectId, url } = row;
  return { projectId, url, secrets: webhookSecretsOf(keys, row) };
}

/** The receiver has asked for it, as the Standard Webhooks specification says. */
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
