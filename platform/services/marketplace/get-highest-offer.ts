import type { Address } from "viem";

import type {
  GetHighestPriceOfferForCollectibleRequest,
  GetHighestPriceOfferForCollectibleResponse,
} from "../../../generated/marketplace/types.js";
import type { Moment } from "../../network/moment.js";
import type { Network } from "../../network/networks.js";
import { giveWay } from "../../process/concurrency/give-way.js";
import { sortInSteps } from "../../process/concurrency/sort-in-steps.js";
import { toUint256 } from "../request-fields.js";
import { requireBook } from "./book/book.js";
import { compareValues, type DollarRate, pricedCurrencies } from "./dollars.js";
import type { Offer } from "./book/find-orders.js";
import type { Currencies } from "./book/select-offers.js";
import type { Market } from "./market.js";
import type { CheckedOrder } from "./order-state.js";
import { priceAt } from "./price.js";
import { seaportMarketplace, toOrder } from "./to-order.js";

/** An offer with the values that determine its rank. */
interface Candidate {
  readonly offer: Offer;
  /** The price of one token. */
  readonly price: bigint;
  /**
   * Null if the rate is unknown, or if it is not needed because all offers use
   * one currency.
   */
  readonly rate: DollarRate | null;
}

/**
 * The number of offers to check first, and of sources of payment to read. Usually
 * the first offer is valid.
 */
const firstBatchSize = 4;
/** The sizes double with each further batch, up to this limit. */
const maxBatchSize = 256;

/**
 * Returns the highest offer that can be filled now. It considers offers for the
 * token and offers for any token of its collection.
 *
 * The order is null if there is none. Offers in currencies without a dollar
 * price rank last.
 *
 * Errors: `InvalidArgument`, `Unavailable` if the network's orders are not
 * followed or its chain does not respond.
 */
export async function getHighestPriceOffer(
  market: Market,
  network: Network,
  {
    contractAddress,
    tokenId,
    filter,
  }: GetHighestPriceOfferForCollectibleRequest,
): Promise<GetHighestPriceOfferForCollectibleResponse> {
  const { createdBy = [], currencies = [], marketplace = [] } = filter ?? {};
  const book = requireBook(network);
  const isElsewhere =
    marketplace.length > 0 && !marketplace.includes(seaportMarketplace);
  const collectible = {
    collection: contractAddress,
    tokenId: toUint256("tokenId", tokenId),
    makers: createdBy,
  };
  const findBest = async (selected: Currencies) => {
    const search = { ...collectible, currencies: selected };
    const offers = isElsewhere ? [] : await market.orders.offers(book, search);
    // Read the moment even if there are no offers, because the follower may be
    // behind.
    const moment = await market.readMoment(network, book);
    const ranked = await rankOffers(market, network, moment, offers);
    const found = await findFirstActive(market, network, moment, ranked);
    return found && { moment, ...found };
  };
  // Anyone can create a currency, so search those without a price last.
  const priced = pricedCurrencies(network);
  const best =
    currencies.length > 0
      ? await findBest({ only: currencies })
      : ((await findBest({ only: priced })) ??
        (await findBest({ except: priced })));
  if (best === null) return { order: null };
  const { moment } = best;
  const rate = await market.findRate(network, moment.head, best.trade.currency);
  return { order: toOrder(best, rate) };
}

async function findFirstActive(
  { checkOrders, findPayable, orders }: Market,
  network: Network,
  moment: Moment,
  candidates: readonly Candidate[],
): Promise<CheckedOrder | null> {
  const book = requireBook(network);
  let from = 0;
  let sources = firstBatchSize;
  let count = firstBatchSize;
  while (from < candidates.length) {
    const part = takeSources(candidates.slice(from), sources);
    from += part.length;
    sources = Math.min(2 * sources, maxBatchSize);
    const payable = await findPayable(network, book, moment, part);
    for (let start = 0; start < payable.length;) {
      const some = payable.slice(start, start + count);
      const stored = await orders.withRows(book, some);
      const checked = await checkOrders(network, book, moment, stored);
      const best = checked.find(({ state }) => state.status === "active");
      if (best !== undefined) return best;
      start += count;
      count = Math.min(2 * count, maxBatchSize);
    }
  }
  return null;
}

/**
 * Returns the first offers, paid from up to a maximum number of sources. What a
 * source has is read once, however many offers there are.
 */
function takeSources(
  candidates: readonly Candidate[],
  max: number,
): readonly Offer[] {
  const sources = new Set<string>();
  const end = candidates.findIndex(({ offer: { parameters, trade } }) => {
    const { conduitKey, offerer } = parameters;
    sources.add(`${trade.currency} ${offerer} ${conduitKey}`);
    return sources.size > max;
  });
  const taken = end < 0 ? candidates : candidates.slice(0, end);
  return taken.map(({ offer }) => offer);
}

async function rankOffers(
  { findRate }: Market,
  network: Network,
  { head, time }: Moment,
  offers: readonly Offer[],
): Promise<readonly Candidate[]> {
  const rates = new Map<Address, DollarRate | null>();
  for (const { trade } of offers) rates.set(trade.currency, null);
  const find = async (currency: Address): Promise<void> => {
    rates.set(currency, await findRate(network, head, currency));
  };
  // Prices in one currency can be compared without a rate.
  if (rates.size > 1) await Promise.all([...rates.keys()].map(find));
  const candidates: Candidate[] = [];
  for (const offer of offers) {
    await giveWay();
    const price = priceAt(offer.parameters, offer.trade, time).each;
    const rate = rates.get(offer.trade.currency) ?? null;
    candidates.push({ offer, price, rate });
  }
  return sortInSteps(candidates, compareCandidates);
}

/** Sorts higher offers first, then older ones. */
function compareCandidates(one: Candidate, other: Candidate): number {
  return compareByPrice(one, other) || one.offer.id - other.offer.id;
}

function compareByPrice(one: Candidate, other: Candidate): number {
  if (one.rate !== null && other.rate !== null) {
    return compareValues([other.price, other.rate], [one.price, one.rate]);
  }
  if (one.rate !== null) return -1;
  if (other.rate !== null) return 1;
  const { currency } = one.offer.trade;
  const { currency: otherCurrency } = other.offer.trade;
  // Without rates, sort by currency in a fixed order.
  if (currency !== otherCurrency) return currency < otherCurrency ? -1 : 1;
  return other.price > one.price ? 1 : other.price < one.price ? -1 : 0;
}
