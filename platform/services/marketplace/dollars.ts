import { type Address, getAddress, type Hash } from "viem";

import { UnavailableError } from "../../../generated/errors.js";
import { Batch } from "../../network/batch.js";
import type { BlockHeader } from "../../network/block-header.js";
import { createHeadCache } from "../../network/head-cache.js";
import type { Network } from "../../network/networks.js";
import type { MarketplaceSettings } from "../../settings/read-network.js";
import { isNative, isSameAddress, nameOfCurrency } from "../api/currency.js";
import type { FindRoute } from "../api/swap-route.js";
import { askDecimals } from "./order-facts.js";

/** The price of an amount of a currency in dollars, as exact integers. */
export interface DollarRate {
  /**
   * The numerator of the price: how many fractions of a dollar the amount
   * costs.
   */
  readonly dollarParts: bigint;
  /**
   * The denominator of the price: how many of these fractions make up a dollar.
   */
  readonly partsOfDollar: bigint;
  /**
   * The amount in the currency's smallest units. It is one whole unit, or more
   * if the currency is cheap.
   */
  readonly partsOfUnit: bigint;
}

/**
 * Creates a function that reads the rate of a currency at the last block from
 * the pools of its network. It returns null if there is no trusted rate. The
 * currencies that the network's settings do not name have none, because anyone
 * can create a currency and a pool with an arbitrary price. All instances find
 * the same rate at the same block.
 *
 * Errors: `Unavailable` if the chain does not respond.
 */
export function createFindRate(findRoute: FindRoute) {
  const ratesAt = createHeadCache<Promise<DollarRate | null>>();
  return (
    network: Network,
    head: BlockHeader,
    currency: Address,
  ): Promise<DollarRate | null> => {
    const { marketplace } = network;
    const named = pricedCurrencies(network);
    const isNamed = named.some((each) => isSameAddress(each, currency));
    if (marketplace === null || !(isNamed || isNative(currency))) {
      return Promise.resolve(null);
    }
    const rates = ratesAt(network, head);
    const key = currency.toLowerCase();
    const known = rates.get(key);
    if (known !== undefined) return known;
    const readAt = (blockHash: Hash | null) =>
      readRate(network, marketplace, findRoute, currency, blockHash);
    const rate = readAt(head.hash).catch((error: unknown) => {
      rates.delete(key);
      if (!(error instanceof UnavailableError)) throw error;
      // Read at the node's last block instead. If several nodes share a URL,
      // some of them can lag behind.
      return readAt(null);
    });
    rates.set(key, rate);
    return rate;
  };
}

/** Returns the currencies that a network's settings name. */
export function pricedCurrencies({
  marketplace,
  swap,
}: Pick<Network, "marketplace" | "swap">): readonly string[] {
  return [marketplace?.dollar ?? [], swap?.currencies ?? []].flat();
}

async function readRate(
  network: Network,
  { dollar }: MarketplaceSettings,
  findRoute: FindRoute,
  currency: Address,
  blockHash: Hash | null,
): Promise<DollarRate | null> {
  const batch = new Batch(network);
  const [dollars, units] = [getAddress(dollar), currency].map((one) =>
    askDecimals(batch, one),
  );
  await batch.runAt(blockHash);
  const partsOfDollar = partsOf(dollars?.() ?? null);
  const partsOfUnit = partsOf(units?.() ?? null);
  if (partsOfDollar === null || partsOfUnit === null) return null;
  const rate = { partsOfDollar, partsOfUnit };
  if (isSameAddress(currency, dollar)) {
    return { ...rate, dollarParts: partsOfDollar };
  }
  const findPrice = async (buyAmount: bigint): Promise<bigint | null> => {
    const buyCurrency = nameOfCurrency(currency);
    const purchase = { network, buyCurrency, buyAmount, slippagePercentage: 0 };
    return (await findRoute(purchase, dollar, blockHash))?.price ?? null;
  };
  const price = await findPrice(partsOfUnit);
  // Pools never sell anything for nothing. No factor would make 0 large enough.
  if (price === null || price === 0n) return null;
  // Price many units of a cheap currency, because the price of one unit has too
  // few digits.
  let factor = 1n;
  while (price * factor < minDollarParts) factor *= 10n;
  const more = factor === 1n ? null : await findPrice(partsOfUnit * factor);
  return more === null
    ? { ...rate, dollarParts: price }
    : { ...rate, dollarParts: more, partsOfUnit: partsOfUnit * factor };
}

/** The minimum to aim for in `dollarParts`, so that it has enough digits. */
const minDollarParts = 1_000_000n;

/** Currencies with more decimals are ignored. */
const maxDecimals = 36;

function partsOf(decimals: number | null): bigint | null {
  if (decimals === null || decimals > maxDecimals) return null;
  return 10n ** BigInt(decimals);
}

/** Converts an amount of a currency to dollars. */
export function toDollars(
  amount: bigint,
  { dollarParts, partsOfDollar, partsOfUnit }: DollarRate,
): number {
  return (
    ((Number(amount) / Number(partsOfUnit)) * Number(dollarParts)) /
    Number(partsOfDollar)
  );
}

/**
 * Compares the values of two amounts exactly. The result is negative if the
 * first value is lower.
 */
export function compareValues(
  [amount, rate]: readonly [bigint, DollarRate],
  [otherAmount, otherRate]: readonly [bigint, DollarRate],
): number {
  const one = amount * rate.dollarParts * otherRate.partsOfUnit;
  const other = otherAmount * otherRate.dollarParts * rate.partsOfUnit;
  return one < other ? -1 : one > other ? 1 : 0;
}
