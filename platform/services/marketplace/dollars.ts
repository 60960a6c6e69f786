import { type Address, getAddress, type Hash } from "viem";

import { UnavailableError } from "../../../generated/errors.js";
import { Batch } from "../../network/batch.js";
import type { BlockHeader } from "../../network/block-header.js";
import { createHeadCache } from "../../network/head-cache.js";
import type { Network } from "../../network/networks.js";
import type { MarketplaceSettings } from "../../settings/settings.js";
import { isNative, isSameAddress, nameOfCurrency } from "../api/currency.js";
import type { FindRoute } from "../api/swap-route.js";
import { askDecimals } from "./order-facts.js";

/** What one whole unit of a currency costs: a fraction of two amounts. */
export interface DollarRate {
  /** So many parts of a dollar … */
  readonly dollarParts: bigint;
  /** … of which a dollar has so many … */
  readonly partsOfDollar: bigint;
  /** … for a whole unit, which has so many parts of its own. */
  readonly partsOfUnit: bigint;
}

/**
 * Finds the rate of a currency at the last block; null where nobody vouches for
 * one.
 */
export type FindRate = (
  network: Network,
  head: BlockHeader,
  currency: Address,
) => Promise<DollarRate | null>;

/**
 * Finds rates in the pools of each network, for the currencies that its
 * settings name. Others have none: everybody can make a currency, and a pool
 * with a price. All instances find the same rate at the same block.
 *
 * Errors: `Unavailable` when the chain does not answer.
 */
export function createFindRate(findRoute: FindRoute): FindRate {
  const ratesAt = createHeadCache<Promise<DollarRate | null>>();
  return (network, head, currency) => {
    const { marketplace, swap } = network;
    const named = [marketplace?.dollar ?? [], swap?.currencies ?? []].flat();
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
      // Of several nodes behind one address, some lag behind.
      return readAt(null);
    });
    rates.set(key, rate);
    return rate;
  };
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
  if (price === null) return null;
  // What is cheap is told by many units: the price of one has too few digits.
  let factor = 1n;
  while (price * factor < leastDollarParts) factor *= 10n;
  const more = factor === 1n ? null : await findPrice(partsOfUnit * factor);
  return more === null
    ? { ...rate, dollarParts: price }
    : { ...rate, dollarParts: more, partsOfUnit: partsOfUnit * factor };
}

/** So many parts of a dollar tell a price to six digits. */
const leastDollarParts = 1_000_000n;

/** More decimals than that are a joke. */
const mostDecimals = 36;

function partsOf(decimals: number | null): bigint | null {
  if (decimals === null || decimals > mostDecimals) return null;
  return 10n ** BigInt(decimals);
}

/** What an amount of a currency is worth, in dollars. */
export function toDollars(
  amount: bigint,
  { dollarParts, partsOfDollar, partsOfUnit }: DollarRate,
): number {
  return (
    ((Number(amount) / Number(partsOfUnit)) * Number(dollarParts)) /
    Number(partsOfDollar)
  );
}

/** Compares what amounts are worth, exactly; below zero: the first is worth less. */
export function compareWorth(
  [amount, rate]: readonly [bigint, DollarRate],
  [otherAmount, otherRate]: readonly [bigint, DollarRate],
): number {
  const one = amount * rate.dollarParts * otherRate.partsOfUnit;
  const other = otherAmount * otherRate.dollarParts * rate.partsOfUnit;
  return one < other ? -1 : one > other ? 1 : 0;
}
