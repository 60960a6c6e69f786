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

/** How a worker of refreshes works; what is not given is as usual. */
export interface RefreshWorkerOptions {
  /** Wakes it for new tasks. */
  readonly notifications?: Notifications;
  /** How often a task is tried; 8 unless given. */
  readonly maxAttempts?: number;
  /** Before the second try, and twice that before the third; 1000 unless given. */
  readonly pauseMs?: number;
  /** How often it looks for tasks without being woken; 500 unless given. */
  readonly pollMs?: number;
}

/** Starts to do the tasks that `createRefresh` makes, until it is stopped. */
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
    concurrency: 4,
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

/** Output: why it is not done; null when it is. */
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
    // What is down is said by the cause of `Unavailable`.
    return typeof error.cause === "string" ? error.cause : error.message;
  }
}
