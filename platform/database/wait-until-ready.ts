import { setTimeout as sleep } from "node:timers/promises";

import type { GuardedProcess } from "../process/programs/guarded-process.js";
import { withClient } from "./with-client.js";

/** What a PostgreSQL server does. */
type ServerState = "ready" | "starting" | "silent";

/** `cannot_connect_now`, e.g. while the server replays its log after a crash. */
const cannotConnectNow = "57P03";

const maxSilentMs = 20_000;

/**
 * Waits until a server responds, and for as long as it says that it is starting: a
 * server that is stopped while it replays its log begins again.
 *
 * Input: how long it may be silent, in milliseconds.
 * Returns false if it has exited or is silent for too long.
 */
export async function waitUntilReady(
  server: Pick<GuardedProcess, "isOver">,
  url: string,
  silentMs = maxSilentMs,
): Promise<boolean> {
  let since = performance.now();
  while (!server.isOver) {
    const state = await stateOf(url);
    if (state === "ready") return true;
    if (state === "starting") since = performance.now();
    else if (performance.now() - since > silentMs) return false;
    await sleep(25);
  }
  return false;
}

/** Asks a server what it does. */
export async function stateOf(url: string): Promise<ServerState> {
  try {
    return await withClient({ connectionString: url }, () =>
      Promise.resolve("ready"),
    );
  } catch (error) {
    return Object(error).code === cannotConnectNow ? "starting" : "silent";
  }
}
