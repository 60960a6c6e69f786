import type pg from "pg";
import type { Logger } from "pino";

import { createFailureLog } from "../process/failures/failure-log.js";
import { pause } from "../process/lifecycle/pause.js";
import { repeatUntilStopped } from "../process/lifecycle/repeat-until-stopped.js";
import { requireWritable } from "./require-writable.js";
import { withClient } from "./with-client.js";

/** Messages between the processes that share a database. */
export interface Notifications {
  /**
   * Calls `onMessage` with each message on the channel, and with null whenever
   * a connection is opened, because earlier messages may have been missed. Call
   * the returned function to stop listening.
   */
  listen(onMessage: (message: string | null) => void): () => void;
  stop(): Promise<void>;
}

/** The pause between connection attempts. */
const pauseMs = 250;

/** How often the connection is checked. A former primary sends no messages. */
const checkMs = 1000;

/**
 * Listens on a database channel with a dedicated connection, and reconnects
 * whenever it is lost.
 */
export function openNotifications(
  url: string,
  channel: string,
  log: Logger,
): Notifications {
  const listeners = new Set<(message: string | null) => void>();
  const failures = createFailureLog(log, "cannot listen to the database");
  const tell = (message: string | null): void => {
    failures.clear();
    for (const listener of listeners) listener(message);
  };
  const { stop } = repeatUntilStopped(pauseMs, (signal) =>
    listenOnce(url, channel, tell, signal).catch((error: unknown) => {
      if (!signal.aborted) failures.note(error);
    }),
  );
  return {
    listen: (onMessage) => {
      listeners.add(onMessage);
      return () => void listeners.delete(onMessage);
    },
    stop,
  };
}

/** Listens until the connection is lost or the listener is stopped. */
async function listenOnce(
  url: string,
  channel: string,
  tell: (message: string | null) => void,
  signal: AbortSignal,
): Promise<void> {
  const options = {
    connectionString: url,
    connectionTimeoutMillis: 5000,
    keepAlive: true,
    application_name: "ridlkit-platform notifications",
  };
  await withClient(options, async (client) => {
    const lost = new Promise<void>((resolve, reject) => {
      client.on("error", reject);
      client.on("end", resolve);
      signal.addEventListener("abort", () => resolve());
    });
    // The connection may be lost before the promise is awaited.
    lost.catch(() => undefined);
    client.on("notification", ({ payload = "" }) => tell(payload));
    await requireWritable(client);
    await client.query(`listen ${client.escapeIdentifier(channel)}`);
    tell(null);
    await Promise.race([lost, checkUntilStopped(client, signal)]);
  });
}

/** Fails as soon as the server of a connection cannot write anymore. */
async function checkUntilStopped(
  client: pg.Client,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await pause(checkMs, signal);
    await requireWritable(client);
  }
}
