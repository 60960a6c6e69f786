import { sql } from "kysely";
import type { Logger } from "pino";

import { ageMs } from "../database/age.js";
import { limitEnded } from "../database/ended-rows.js";
import type { NoteStored } from "../database/growth-limit.js";
import type { Notifications } from "../database/notifications.js";
import type { Database } from "../database/schema.js";
import { unitsOf } from "../database/storage-units.js";
import type { Platform } from "../parts/platform.js";
import { factsOf } from "../process/failures/error-facts.js";
import type { Stoppable } from "../process/lifecycle/keep-running.js";
import { wakeJob } from "../queue/enqueue.js";
import type { LaneLimits, LanePart } from "../queue/lanes.js";
import type { Job } from "../queue/leases.js";
import { type Outcome, startWorker } from "../queue/worker.js";
import {
  laneOf,
  relayQueue,
  unpaidParts,
} from "../services/relayer/relay-queue.js";
import { shortageOf } from "./reservations.js";
import { isNews, settleRelay } from "./settle-relay.js";

/** Dependencies of the worker. */
type Parts = Pick<
  Platform,
  "database" | "log" | "networks" | "settings" | "stopping"
>;

/** Dependencies of the check of a relay. */
interface SettleParts extends Parts {
  readonly noteEnded: NoteStored;
}

/** The age in milliseconds beyond which a pending relay is reported. */
const alarmMs = 5 * 60 * 1000;

/** The pause between attempts of relays that cannot be paid. */
const unpaidMs = 250;

/** How many expired relays are taken out of an unpaid part after an attempt. */
const maxExpired = 32;

/** The limits on the relays that are checked at the same time. */
export const relayLimits: LaneLimits = {
  concurrency: 64,
  perLane: 8,
  reserved: 16,
};

/**
 * Starts a worker that sends relays and follows them until they are final.
 * After a crash, it first checks whether a relay is already on the chain.
 */
export function startRelayWorker(
  platform: Parts,
  notifications: Notifications,
): Stoppable {
  const { database, log } = platform;
  const parts = { ...platform, noteEnded: limitEnded(platform, "relays") };
  return startWorker({
    database,
    log,
    notifications,
    queue: relayQueue,
    ...relayLimits,
    leaseMs: 10_000,
    handle: (job) =>
      settle(parts, job).catch((error: unknown) =>
        again(job, noteFailure(log, job, error)),
      ),
  });
}

/** Logs an error and returns its reason. */
function noteFailure(log: Logger, { key }: Job, error: unknown): string {
  const facts = factsOf(error);
  log.warn({ ...facts, relay: key }, "cannot relay yet");
  return facts.reason;
}

/**
 * Retries without limit, because the tank must pay for transactions that were
 * sent.
 */
function again({ attempts }: Job, reason: string, lane?: string): Outcome {
  const pauseMs = Math.min(250 * 1.5 ** Math.min(attempts, 20), 15_000);
  return retryIn(pauseMs, reason, lane);
}

function retryIn(afterMs: number, reason: string, lane?: string): Outcome {
  return {
    kind: "retry",
    afterMs,
    reason,
    ...(lane !== undefined && { lane }),
  };
}

/**
 * Returns the time until the next check of a settled relay. Reorganizations
 * rarely undo old blocks, so the pause grows with the relay's age.
 */
function pauseOf(settledMs: number): number {
  return Math.min(Math.max(settledMs / 3, 250), 10 * 60 * 1000);
}

async function settle(parts: SettleParts, job: Job): Promise<Outcome> {
  const { database, log, networks } = parts;
  const id = Number(job.payload);
  const row = await database
    .selectFrom("relays")
    .select(["project_id", "chain_id", "state", "request_id", "wait_reason"])
    .select(["gas_tank_id as tankId", "gas_sponsor_id as sponsorId"])
    .select(ageMs("created_at").as("ageMs"))
    .select(ageMs("settled_at").as("settledMs"))
    .select(sql<number>`octet_length(data)`.as("bytes"))
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const network = networks.find(String(row.chain_id));
  const reason =
    network === null
      ? "its network is not in the settings"
      : await settleRelay(parts, network, id).catch((error: unknown) =>
          noteFailure(log, job, error),
        );
  if (reason === null) {
    await parts.noteEnded(unitsOf(row.bytes), [row.project_id]);
    return { kind: "done" };
  }
  const lane = laneOf(row);
  if (row.state !== "pending") {
    return retryIn(pauseOf(row.settledMs ?? 0), reason, lane);
  }
  const facts = {
    ...{ requestId: row.request_id, relay: id, project: row.project_id },
    ...{ network: network?.handle, reason },
  };
  if (row.ageMs > alarmMs) {
    log.error(
      { ...facts, ageMs: row.ageMs },
      "a relay has been pending for too long",
    );
  }
  if (isNews(reason, row.wait_reason)) {
    log.warn(facts, "a relay has to wait");
    await database
      .updateTable("relays")
      .set({ wait_reason: reason })
      .where("id", "=", id)
      .execute();
  }
  const part = partOf(reason, row.sponsorId);
  if (part !== "") await freeExpired(database, { lane, part }, row.tankId);
  const pauses = [
    // It no longer waits for what the others of its part wait for.
    ...(part === job.part ? [] : [{ part: job.part, ms: 0 }]),
    ...(part === "" ? [] : [{ part, ms: unpaidMs }]),
  ];
  const next = { part, pauses };
  return { ...again(job, reason, lane), ...next };
}

/**
 * Returns the part of the lane for a pending relay. One relay of an unpaid part
 * at a time finds out whether it can be paid again.
 */
function partOf(reason: string, sponsorId: number): string {
  const shortage = shortageOf(reason);
  if (shortage === null) return "";
  return shortage === "sponsor"
    ? unpaidParts.sponsor(sponsorId)
    : unpaidParts[shortage];
}

/**
 * Takes relays out of an unpaid part once their deadline has passed. What they
 * have reserved is free without waiting for their turn.
 */
async function freeExpired(
  database: Database,
  { lane, part }: LanePart,
  tankId: number,
): Promise<void> {
  const expired = await database
    .selectFrom("relays")
    .innerJoin("jobs", (join) =>
      join.on(sql<boolean>`jobs.key = relays.id::text`),
    )
    .select("key")
    .where("gas_tank_id", "=", tankId)
    .where("state", "=", "pending")
    .where(sql<boolean>`deadline <= extract(epoch from now())`)
    .where("queue", "=", relayQueue)
    .where("jobs.lane", "=", lane)
    .where("jobs.part", "=", part)
    .where("lease", "is", null)
    .limit(maxExpired)
    .execute();
  for (const { key } of expired) await wakeJob(database, relayQueue, key, "");
}
