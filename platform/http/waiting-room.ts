import { toFetch } from "@ridlkit/runtime/fetch";
import type {
  RpcServer,
  ServerRequest,
  ServerResponse,
} from "@ridlkit/runtime/server";

import type { ConcurrencySettings } from "../settings/settings.js";

/** Hears how many requests wait: one more, or one less. */
export type CountWaiting = (change: 1 | -1) => void;

/** A request that waits, and what it is told in the end. */
interface Waiting {
  /** There is a place, or there was none in time. */
  readonly leave: () => void;
}

/**
 * The same server, at which requests beyond those that it may run wait for a
 * place, the oldest first, before anything of them is read.
 *
 * Callers that are refused at once come back at once, and refusing them takes
 * the time in which others could be answered. Those who wait do not call. So a
 * refusal comes late: who has waited long enough, or cannot wait since too many
 * do, is given to the server, whose own limit refuses.
 *
 * Input: a server whose `maxConcurrent` is `running`.
 */
export function withWaitingRoom(
  server: RpcServer,
  { running, waiting: maxWaiting, waitMs }: ConcurrencySettings,
  countWaiting: CountWaiting = () => undefined,
): RpcServer {
  const waiting = new Set<Waiting>();
  let taken = 0;
  const run = async (request: ServerRequest): Promise<ServerResponse> => {
    taken += 1;
    const response = await server.handle(request);
    taken -= 1;
    const [next] = waiting;
    next?.leave();
    return response;
  };
  const wait = (request: ServerRequest): Promise<ServerResponse> =>
    new Promise((resolve) => {
      const signal = request.signal();
      const leave = (): void => {
        if (!waiting.delete(waiter)) return;
        countWaiting(-1);
        clearTimeout(timer);
        signal.removeEventListener("abort", leave);
        resolve(taken < running ? run(request) : server.handle(request));
      };
      const waiter = { leave };
      const timer = setTimeout(leave, waitMs);
      signal.addEventListener("abort", leave);
      waiting.add(waiter);
      countWaiting(1);
    });
  const handle = (request: ServerRequest): Promise<ServerResponse> => {
    if (taken < running) return run(request);
    return waiting.size < maxWaiting ? wait(request) : server.handle(request);
  };
  return { matches: server.matches, handle, fetch: toFetch(handle) };
}
