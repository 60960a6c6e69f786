import type { Moment } from "../../network/moment.js";
import type { Network } from "../../network/networks.js";
import type { Book } from "./book/book.js";
import type { OrderTerms } from "./book/find-orders.js";
import type { FundingSource } from "./ledger.js";
import { fillableOf } from "./order-state.js";
import { priceAt } from "./price.js";
import { createReadFunds } from "./read-funds.js";
import { createFindSpenders } from "./spender.js";

/**
 * Creates a filter that removes offers whose makers certainly cannot pay. Such
 * offers cost their makers nothing, so there can be many, and they can name the
 * highest prices. The remaining offers must still be checked.
 *
 * Errors: `Unavailable` if the chain does not respond.
 */
export function createFindPayable() {
  const findSpenders = createFindSpenders();
  const readFunds = createReadFunds();
  return async <Offer extends OrderTerms>(
    network: Network,
    book: Book,
    { head, time }: Moment,
    offers: readonly Offer[],
  ): Promise<readonly Offer[]> => {
    const keys = offers.map(({ parameters }) => parameters.conduitKey);
    const spenders = await findSpenders(network, book, keys);
    const sources = offers.flatMap(
      ({ parameters, trade }): readonly FundingSource[] => {
        const spender = spenders.get(parameters.conduitKey)?.address;
        const { offerer: owner } = parameters;
        return spender === undefined
          ? []
          : [{ currency: trade.currency, owner, spender }];
      },
    );
    const isKnown = ({ parameters }: OrderTerms): boolean =>
      spenders.has(parameters.conduitKey);
    const amounts = await readFunds(network, head, sources);
    return offers.filter(isKnown).filter((offer, index) => {
      const { parameters, trade } = offer;
      const price = priceAt(parameters, trade, time);
      const holdings = amounts[index] ?? 0n;
      const remaining = trade.quantity;
      return fillableOf(offer, price, time, { remaining, holdings }) > 0n;
    });
  };
}
