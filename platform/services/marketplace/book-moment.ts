import type { Kysely } from "kysely";

import type { Tables } from "../../database/schema.js";
import { readTips } from "../../follower/read-tips.js";
import { type Moment, momentAt, readMoment } from "../../network/moment.js";
import type { Network } from "../../network/networks.js";
import { shareNextAnswer } from "../../process/share-next-answer.js";
import { type Book, followerOf } from "./book.js";

/** The moment of which orders are told. */
export interface BookMoment extends Moment {
  /** Whether the orders that are stored are those of its block. */
  readonly isFollowed: boolean;
}

/**
 * Reads the moment of which orders are told: that of the last block that is followed,
 * or, while the follower is behind, of the last block of the chain.
 *
 * Errors: `Unavailable` when neither is known.
 */
export type ReadBookMoment = (
  network: Network,
  book: Book,
) => Promise<BookMoment>;

/** Makes what reads it: in one query for all who ask at once. */
export function createReadBookMoment(database: Kysely<Tables>): ReadBookMoment {
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
