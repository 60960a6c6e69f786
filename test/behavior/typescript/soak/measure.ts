import { getEventListeners } from "node:events";

/** What a process has open, and the size of its heap after a collection. */
export interface Measured {
  readonly heapBytes: number;
  readonly handles: number;
  readonly listeners: number;
  readonly running: number;
}

/** Measures this process. Needs `--expose-gc`. */
export async function measure(
  running: number,
  signal?: AbortSignal,
): Promise<Measured> {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.();
    // Finalizers run in later steps.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    heapBytes: process.memoryUsage().heapUsed,
    handles: process.getActiveResourcesInfo().filter(isKept).length,
    listeners: signal ? getEventListeners(signal, "abort").length : 0,
    running,
  };
}

/** Pools of clients and idle connections keep sockets and timers for a while. */
function isKept(name: string): boolean {
  return !/TCPSocketWrap|Timeout|Immediate/u.test(name);
}
