import { currentCaller, throwIfGone } from "../process/concurrency/caller.js";
import {
  createLimit,
  type QueueOptions,
} from "../process/concurrency/limit-work.js";

/** A connection of a pool. */
interface Connection {
  release(): void;
}

/** Limits for connections of a pool that calls use. */
export interface ConnectionLimits extends QueueOptions {
  /** For all calls together. The platform's own work has the others. */
  readonly ofCalls: number;
  /** For each caller. */
  readonly ofCaller: number;
}

/** The maximum number of calls that wait for a connection. */
const maxWaiting = 10_000;

/**
 * Shares the connections of a pool among callers, who take turns. Otherwise, one
 * caller with many calls that wait for locks could use all of them. A call must
 * not wait for a second connection while it holds one.
 *
 * Errors: any error from connecting; that of `refuse`; the reason of the caller's
 * signal if it aborts first.
 */
export function shareConnections<Client extends Connection>(
  connect: () => Promise<Client>,
  { ofCaller, ofCalls, ...queue }: ConnectionLimits,
): () => Promise<Client> {
  const limit = createLimit(ofCalls, maxWaiting, ofCaller, queue);
  const connectFor = async (): Promise<Client> => {
    const client = await connect();
    try {
      throwIfGone();
    } catch (error) {
      client.release();
      throw error;
    }
    return client;
  };
  return () => {
    const caller = currentCaller();
    if (caller === null) return connectFor();
    return new Promise((resolve, reject) => {
      const use = async (): Promise<void> => {
        const client = await connectFor();
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
      limit(use, caller).catch(reject);
    });
  };
}
