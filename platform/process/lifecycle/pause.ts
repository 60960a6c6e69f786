import { setTimeout as sleep } from "node:timers/promises";

/** Waits until the time is up or the signal is aborted. Never rejects. */
export function pause(
  ms: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => undefined);
}
