import type { Moment } from "../../network/moment.js";
import type { Network } from "../../network/networks.js";
import { giveWay } from "../../process/concurrency/give-way.js";
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
    const sources: FundingSource[] = [];
    const known: Offer[] = [];
    for (const offer of offers) {
      await giveWay();
      const { conduitKey, offerer: owner } = offer.parameters;
      const spender = spenders.get(conduitKey)?.address;
      if (spender === undefined) continue;
      known.push(offer);
      sources.push({ currency: offer.trade.currency, owner, spender });
    }
    const amounts = await readFunds(network, head, sources);
    const payable: Offer[] = [];
    for (const [index, offer] of known.entries()) {
      await giveWay();
      const holdings = amounts[index] ?? 0n;
      if (holdings === 0n) continue;
      const { parameters, trade } = offer;
      const price = priceAt(parameters, trade, time);
      const remaining = trade.quantity;
      const fillable = fillableOf(offer, price, time, { remaining, holdings });
      if (fillable > 0n) payable.push(offer);
    }
    return payable;
  };
}
