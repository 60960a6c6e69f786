import { setTimeout as sleep } from "node:timers/promises";

import type { Logger } from "pino";

import type { GuardedProcess } from "../process/programs/guarded-process.js";
import { withClient } from "./with-client.js";

/** What a PostgreSQL server does. */
type ServerState = "ready" | "starting" | "silent";

/** How to wait for a server. */
export interface Patience {
  readonly log: Logger;
  /** Stops the wait. */
  readonly signal?: AbortSignal | undefined;
  /** How long the server may be silent, in milliseconds. */
  readonly silentMs?: number;
}

/** `cannot_connect_now`, e.g. while the server replays its log after a crash. */
const cannotConnectNow = "57P03";

/** Other reasons for this code, which do not pass. */
const isNotStarting = /shutting down|not accepting connections/u;

/**
 * Waits until a server responds, and for as long as it says that it is starting: a
 * server that is stopped while it replays its log begins again.
 *
 * Returns false if it has exited or is silent for too long, or if the signal
 * aborts.
 */
export async function waitUntilReady(
  server: Pick<GuardedProcess, "isOver">,
  url: string,
  { log, signal, silentMs = 20_000 }: Patience,
): Promise<boolean> {
  let since = performance.now();
  let isTold = false;
  while (!server.isOver && signal?.aborted !== true) {
    const state = await stateOf(url);
    if (state === "ready") return true;
    if (state === "starting") {
      since = performance.now();
      if (!isTold) log.info("the database is starting, e.g. replays its log");
      isTold = true;
    } else if (performance.now() - since > silentMs) return false;
    await sleep(25);
  }
  return false;
}

/** Asks a server what it does. A server that does not answer is silent. */
export async function stateOf(url: string): Promise<ServerState> {
  const options = { connectionString: url, connectionTimeoutMillis: 2000 };
  try {
    return await withClient(options, () => Promise.resolve("ready"));
  } catch (error) {
    const { code, message } = Object(error);
    const isStarting =
      code === cannotConnectNow && !isNotStarting.test(message);
    return isStarting ? "starting" : "silent";
  }
}
