import { toTheEnd } from "../../process/concurrency/caller.js";
import {
  createLimit,
  type LimitWork,
} from "../../process/concurrency/limit-work.js";

/**
 * The maximum numbers of concurrent reads, of queued reads, and of concurrent
 * reads per caller, so that a caller whose hosts do not respond does not delay
 * the others.
 */
const maxReads = 32;
const maxWaitingReads = 10_000;
const maxReadsPerCaller = 16;

/**
 * How long a caller waits after each of its reads before another one replaces
 * it: 160 reads per second. Without this limit, a caller who requests unknown
 * tokens all the time would keep an instance busy.
 */
const restMs = 100;

/** Creates a limit of the tokens and contracts that callers read. */
export function createReadLimit(): LimitWork {
  const limit = createLimit(maxReads, maxWaitingReads, maxReadsPerCaller);
  // What has been read is stored, even if nobody waits for it any longer.
  return (work, caller) =>
    limit(
      () => toTheEnd(work),
      caller,
      () => restMs,
    );
}
