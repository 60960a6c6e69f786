import { openNotifications } from "./database/notifications.js";
import type { Platform } from "./platform.js";
import type { Cleanup } from "./process/cleanup.js";
import { jobsChannel } from "./queue/enqueue.js";
import { startRelayWorker } from "./relaying/relay-worker.js";
import { startRefreshWorker } from "./services/metadata/refresh-worker.js";

/** Starts all that works without being called. */
export function startWorkers(
  platform: Platform,
  databaseUrl: string,
  cleanup: Cleanup,
): void {
  const { log } = platform;
  const notifications = openNotifications(databaseUrl, jobsChannel, log);
  cleanup.add("the notifications", () => notifications.stop());
  const relayWorker = startRelayWorker(platform, notifications);
  cleanup.add("the relay worker", () => relayWorker.stop());
  const refreshWorker = startRefreshWorker(platform, { notifications });
  cleanup.add("the refresh worker", () => refreshWorker.stop());
}
