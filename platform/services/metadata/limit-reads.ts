import { unitsOf } from "../../database/storage-units.js";
import { toTheEnd } from "../../process/concurrency/caller.js";
import { createLimit } from "../../process/concurrency/limit-work.js";
import type { Stored } from "./reading.js";

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
 * it, for each unit that the read stored: 160 reads or 1.25 MiB per second.
 * Without this limit, a caller who requests unknown tokens all the time would keep
 * an instance busy and replace the documents that others need.
 */
const restMs = 100;

/** Runs a read as soon as it is the turn of the caller. */
export type LimitReads = <Value>(
  read: () => Promise<Stored<Value>>,
  caller: string,
) => Promise<Value>;

/** Creates a limit of the tokens and contracts that callers read. */
export function createReadLimit(): LimitReads {
  const limit = createLimit(maxReads, maxWaitingReads, maxReadsPerCaller);
  return async (read, caller) => {
    // What has been read is stored, even if nobody waits for it any longer.
    const { value } = await limit(
      () => toTheEnd(read),
      caller,
      ({ bytes }) => restMs * unitsOf(bytes),
    );
    return value;
  };
}
