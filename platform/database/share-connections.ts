import { currentCaller } from "../process/concurrency/caller.js";
import { createLimit } from "../process/concurrency/limit-work.js";

/** A connection of a pool. */
interface Connection {
  release(): void;
}

/** Limits for connections of a pool that calls use. */
export interface ConnectionLimits {
  /** For all calls together. The platform's own work has the others. */
  readonly ofCalls: number;
  /** For each caller. */
  readonly ofCaller: number;
  /** How long a call waits for its turn. */
  readonly waitMs: number;
  /** Creates the error of a call that has waited for too long. */
  readonly refuse: () => Error;
}

/** The maximum number of calls that wait for a connection. */
const maxWaiting = 10_000;

/**
 * Shares the connections of a pool among callers, who take turns. Otherwise, one
 * caller with many calls that wait for locks could use all of them. A call must
 * not wait for a second connection while it holds one.
 *
 * Errors: any error from connecting; that of `refuse`.
 */
export function shareConnections<Client extends Connection>(
  connect: () => Promise<Client>,
  { ofCaller, ofCalls, refuse, waitMs }: ConnectionLimits,
): () => Promise<Client> {
  const limit = createLimit(ofCalls, maxWaiting, ofCaller);
  return () => {
    const caller = currentCaller();
    if (caller === null) return connect();
    return new Promise((resolve, reject) => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        reject(refuse());
      }, waitMs);
      const use = async (): Promise<void> => {
        if (isLate) return;
        clearTimeout(timer);
        const client = await connect();
        await new Promise<void>((end) => {
          resolve({
            ...client,
            release: () => {
              client.release();
              end();
            },
          });
        });
      };
      limit(use, caller).catch((error: unknown) => {
        clearTimeout(timer);
        reject(error instanceof Error ? error : refuse());
      });
    });
  };
}
