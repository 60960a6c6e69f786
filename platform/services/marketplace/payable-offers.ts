import type { Moment } from "../../network/moment.js";
import type { Network } from "../../network/networks.js";
import type { Book } from "./book.js";
import type { StoredOrder } from "./find-orders.js";
import type { Purse } from "./ledger.js";
import { fillableOf } from "./order-state.js";
import { priceAt } from "./price.js";
import { createReadPurses } from "./purses.js";
import { createFindSpenders } from "./spender.js";

/**
 * The offers among some that can be paid, as far as is known: what is left out
 * cannot be, and what is not has to be checked.
 *
 * Errors: `Unavailable` when the chain does not answer.
 */
export type FindPayable = (
  network: Network,
  book: Book,
  moment: Moment,
  offers: readonly StoredOrder[],
) => Promise<readonly StoredOrder[]>;

/**
 * Makes what leaves out offers without money behind them: they cost their makers
 * nothing, so there may be many, and they promise most.
 */
export function createFindPayable(): FindPayable {
  const findSpenders = createFindSpenders();
  const readPurses = createReadPurses();
  return async (network, book, { head, time }, offers) => {
    const keys = offers.map(({ parameters }) => parameters.conduitKey);
    const spenders = await findSpenders(network, book, keys);
    const purses = offers.flatMap(({ parameters, trade }): readonly Purse[] => {
      const spender = spenders.get(parameters.conduitKey)?.address;
      const { offerer: owner } = parameters;
      return spender === undefined
        ? []
        : [{ currency: trade.currency, owner, spender }];
    });
    const isKnown = ({ parameters }: StoredOrder): boolean =>
      spenders.has(parameters.conduitKey);
    const amounts = await readPurses(network, head, purses);
    return offers.filter(isKnown).filter((offer, index) => {
      const { parameters, trade } = offer;
      const price = priceAt(parameters, trade, time);
      const holdings = amounts[index] ?? 0n;
      const remaining = trade.quantity;
      return fillableOf(offer, price, time, { remaining, holdings }) > 0n;
    });
  };
}
