import type { Database } from "../../../database/schema.js";
import { readTips } from "../../../follower/read-tips.js";
import { type Moment, momentAt, readMoment } from "../../../network/moment.js";
import type { Network } from "../../../network/networks.js";
import { shareNextAnswer } from "../../../process/concurrency/share-next-answer.js";
import { type Book, followerOf } from "./book.js";

/** The point in time that returned orders refer to. */
export interface BookMoment extends Moment {
  /** Whether the stored orders are up to date with its block. */
  readonly isFollowed: boolean;
}

/**
 * Reads the point in time that returned orders refer to. It is the follower's
 * last block or, if the follower is behind, the chain's last block.
 *
 * Errors: `Unavailable` if neither block is known.
 */
export type ReadBookMoment = (
  network: Network,
  book: Book,
) => Promise<BookMoment>;

/** Creates a reader that combines concurrent requests in one query. */
export function createReadBookMoment(database: Database): ReadBookMoment {
  const read = shareNextAnswer(() => readTips(database));
  return async (network, book) => {
    const tips = await read("tips");
    const tip = tips.find(
      ({ chainId, follower }) =>
        chainId === book.chainId && follower === followerOf(book),
    );
    return tip === undefined
      ? { ...(await readMoment(network)), isFollowed: false }
      : { ...momentAt(tip), isFollowed: true };
  };
}
