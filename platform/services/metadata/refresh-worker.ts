import type { Notifications } from "../../database/notifications.js";
import type { Platform } from "../../parts/platform.js";
import type { Stoppable } from "../../process/keep-running.js";
import { type Outcome, startWorker } from "../../queue/worker.js";
import {
  refreshQueue,
  type RefreshTask,
  setRefreshStatus,
} from "./refresh-store.js";
import { refreshTokens } from "./refresh-tokens.js";

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
   * The interval between checks for tasks if nothing wakes the worker. The
   * default is 500.
   */
  readonly pollMs?: number;
}

/** The maximum number of tasks that run at the same time. */
const concurrency = 8;

/**
 * The maximum number per project, so that a project whose hosts do not respond
 * does not delay the others.
 */
const perLane = 2;

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
  return startWorker({
    database,
    log,
    queue: refreshQueue,
    concurrency,
    perLane,
    leaseMs: 10_000,
    pollMs,
    ...(notifications && { notifications }),
    handle: (job, signal) =>
      refresh(platform, Number(job.key), job.attempts, options, signal),
    onDead: async ({ key }) => {
      await setRefreshStatus(database, Number(key), "FAILED");
    },
  });
}

async function refresh(
  platform: Platform,
  id: number,
  attempts: number,
  { maxAttempts = 8, pauseMs = 1000 }: RefreshWorkerOptions,
  signal: AbortSignal,
): Promise<Outcome> {
  const { database } = platform;
  const task = await setRefreshStatus(database, id, "QUEUED");
  if (task === null) return { kind: "done" };
  const reason = await tryRefresh(platform, task, signal);
  if (reason === null) {
    await setRefreshStatus(database, id, "COMPLETED");
    return { kind: "done" };
  }
  if (attempts >= maxAttempts) return { kind: "dead", reason };
  await setRefreshStatus(database, id, "PAUSED");
  const at = new Date(Date.now() + pauseMs * 2 ** (attempts - 1));
  return { kind: "retry", at, reason };
}

/** Runs a task. Returns the reason why it is not complete, or null if it is. */
async function tryRefresh(
  platform: Platform,
  task: RefreshTask,
  signal: AbortSignal,
): Promise<string | null> {
  const network = platform.networks.find(String(task.chainId));
  if (network === null) return `there is no network ${task.chainId}`;
  const place = { network, contract: task.contract };
  try {
    return await refreshTokens(platform, place, task.id, signal);
  } catch (error) {
    if (signal.aborted || !(error instanceof Error)) throw error;
    // The cause of `Unavailable` names the dependency that is not responding.
    return typeof error.cause === "string" ? error.cause : error.message;
  }
}
