import type { Notifications } from "../../database/notifications.js";
import type { Platform } from "../../parts/platform.js";
import { reasonOf } from "../../process/failures/error-facts.js";
import type { Stoppable } from "../../process/lifecycle/keep-running.js";
import type { LaneLimits } from "../../queue/lanes.js";
import type { Job } from "../../queue/leases.js";
import { type Outcome, startWorker } from "../../queue/worker.js";
import { type ReadingParts, readingPartsOf } from "./contract-cache.js";
import {
  addStoredTokens,
  isBehindOthers,
  refreshQueue,
  type RefreshTask,
  setRefreshStatus,
} from "./refresh-store.js";
import {
  noProgress,
  type RefreshProgress,
  type RefreshResult,
  refreshTokens,
} from "./refresh-tokens.js";

/** Options of a refresh worker. */
export interface RefreshWorkerOptions {
  /** Wakes the worker when there are new tasks. */
  readonly notifications?: Notifications;
  /** The maximum number of attempts per task. The default is 8. */
  readonly maxAttempts?: number;
  /**
   * The pause before the second attempt. It doubles each time. The default is
   * 1000.
   */
  readonly pauseMs?: number;
  /**
   * The pause of a task whose project has no room for its remaining tokens. Each
   * check counts the project's tokens. The default is 30,000.
   */
  readonly roomMs?: number;
  /**
   * The interval between checks for tasks if nothing wakes the worker. The
   * default is 500.
   */
  readonly pollMs?: number;
}

/**
 * The limits on concurrent tasks. A project whose hosts do not respond does not
 * delay the others.
 */
export const refreshLimits: LaneLimits = {
  concurrency: 16,
  perLane: 2,
  reserved: 4,
};

/**
 * Starts a worker that runs the tasks created by `createRefresh` until it is
 * stopped.
 */
export function startRefreshWorker(
  platform: Platform,
  options: RefreshWorkerOptions = {},
): Stoppable {
  const { database, log } = platform;
  const { notifications, pollMs = 500 } = options;
  const parts = { ...platform, ...readingPartsOf(platform) };
  return startWorker({
    database,
    log,
    queue: refreshQueue,
    ...refreshLimits,
    leaseMs: 10_000,
    pollMs,
    ...(notifications && { notifications }),
    handle: (job, signal) => refresh(parts, job, options, signal),
    onDead: async ({ key }) => {
      await setRefreshStatus(database, Number(key), "FAILED");
    },
  });
}

/** Dependencies of a refresh. */
type RefreshParts = ReadingParts & Pick<Platform, "networks" | "settings">;

async function refresh(
  parts: RefreshParts,
  { attempts, key, payload }: Job,
  { maxAttempts = 8, pauseMs = 1000, roomMs = 30_000 }: RefreshWorkerOptions,
  signal: AbortSignal,
): Promise<Outcome> {
  const { database, settings } = parts;
  const { refreshTokensPerProject: maxTokens } = settings;
  const id = Number(key);
  const task = await setRefreshStatus(database, id, "QUEUED");
  if (task === null) return { kind: "done" };
  const before = { ...noProgress, ...Object(payload) };
  const { isOver, ...progress } = await tryRefresh(parts, task, before, signal);
  if (!isOver) {
    const next = { afterMs: 0, isTry: false, payload: progress };
    return { kind: "retry", reason: "some tokens are left", ...next };
  }
  const { problem: reason, rest } = progress;
  if (rest !== null) {
    const added = await addStoredTokens(database, task, rest, maxTokens);
    const hasRoom = added !== rest;
    // Without room, it waits for the other tasks of its project.
    if (hasRoom || reason === null || (await isBehindOthers(database, task))) {
      const afterMs = hasRoom ? 0 : roomMs;
      // Tokens that were added come after those that were there before.
      const next = { ...progress, after: rest, rest: added };
      const left = { reason: "some tokens are left", isTry: false };
      return { kind: "retry", ...left, afterMs, payload: next };
    }
  }
  if (reason === null) {
    await setRefreshStatus(database, id, "COMPLETED");
    return { kind: "done" };
  }
  if (attempts >= maxAttempts) return { kind: "dead", reason };
  await setRefreshStatus(database, id, "PAUSED");
  const afterMs = pauseMs * 2 ** (attempts - 1);
  const next = { ...noProgress, rest };
  return { kind: "retry", afterMs, reason, payload: next };
}

/** Takes a task's turn. If this fails, the task is over until it is retried. */
async function tryRefresh(
  parts: RefreshParts,
  task: RefreshTask,
  progress: RefreshProgress,
  signal: AbortSignal,
): Promise<RefreshResult> {
  const network = parts.networks.find(String(task.chainId));
  const fail = (problem: string) => ({ ...progress, problem, isOver: true });
  if (network === null) return fail(`there is no network ${task.chainId}`);
  const place = { network, contract: task.contract };
  try {
    return await refreshTokens(parts, place, task.id, progress, signal);
  } catch (error) {
    if (signal.aborted || !(error instanceof Error)) throw error;
    return fail(reasonOf(error));
  }
}
