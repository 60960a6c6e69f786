import { parseGwei, type TransactionSerializable } from "viem";

import type { Network } from "../../network/networks.js";

/** The price that a transaction offers per gas unit. */
export interface Price {
  readonly fields:
    | { readonly type: "legacy"; readonly gasPrice: bigint }
    | {
        readonly type: "eip1559";
        readonly maxFeePerGas: bigint;
        readonly maxPriorityFeePerGas: bigint;
      };
  /** The maximum price per gas unit. */
  readonly max: bigint;
}

/** The prices at the chain's last block. */
export interface Market {
  /** A price that remains sufficient until the base fee has doubled. */
  readonly price: Price;
  /** 0 on chains without a base fee. */
  readonly baseFee: bigint;
  /** The price that suffices now for a transaction that pays it in full. */
  readonly fullPrice: bigint;
  /** The maximum price per gas unit that a transaction may offer. */
  readonly limit: bigint;
}

/** The prices that one node reports. The base fee is null without one. */
export interface Quote {
  readonly baseFee: bigint | null;
  /** The tip, or the gas price on a chain without a base fee. */
  readonly offer: bigint;
}

/**
 * The maximum prices per gas unit, in gwei by chain ID, if the settings have
 * none. They are several times what these networks charge when they are busy.
 */
const limitsGwei: ReadonlyMap<number, number> = new Map([
  [1, 500],
  [10, 50],
  [56, 100],
  [137, 5000],
  [8453, 50],
  [42161, 50],
]);

/** The maximum price on other networks. */
const defaultLimitGwei = 1000;

/** Returns the maximum price per gas unit on a network. */
export function limitOf({
  chainId,
  maxGasPriceGwei,
}: Pick<Network, "chainId" | "maxGasPriceGwei">): bigint {
  const known = limitsGwei.get(chainId) ?? defaultLimitGwei;
  return parseGwei(String(maxGasPriceGwei ?? known));
}

/** The reason for not sending transactions while the gas price is too high. */
export const tooExpensive =
  "the network's gas price exceeds the limit in the settings";

/** The reason for not signing transactions while nobody confirms the gas price. */
export const noPrice = "most nodes do not report a gas price";

/** Returns whether a price exceeds the network's limit and must not be offered. */
export function isAbove(
  { max }: Pick<Price, "max">,
  { limit }: Pick<Market, "limit">,
): boolean {
  return max > limit;
}

/** Returns the price that a signed transaction offers. */
export function priceOf(transaction: TransactionSerializable): Price {
  const {
    gasPrice,
    maxFeePerGas = 0n,
    maxPriorityFeePerGas = 0n,
  } = transaction;
  return gasPrice === undefined
    ? dynamic(maxFeePerGas, maxPriorityFeePerGas)
    : legacy(gasPrice);
}

/**
 * Returns whether a price is too low for block producers: a legacy price below
 * the gas price, or one that leaves a tip of less than half the current tip.
 */
export function isTooLow(
  { fields, max }: Price,
  { baseFee, fullPrice, price }: Market,
): boolean {
  if (fields.type === "legacy" || price.fields.type === "legacy") {
    return max < fullPrice;
  }
  const rest = max - baseFee;
  const tip = rest < fields.maxPriorityFeePerGas ? rest : tipOf(fields);
  return tip < 0n || 2n * tip < tipOf(price.fields);
}

function tipOf(fields: Price["fields"]): bigint {
  return fields.type === "legacy"
    ? fields.gasPrice
    : fields.maxPriorityFeePerGas;
}

/**
 * Returns the current price, raised enough that nodes accept a replacement
 * transaction.
 */
export function raisePrice(old: Price, { fullPrice, price }: Market): Price {
  const raise = (before: bigint, now: bigint): bigint => {
    const needed = (before * 9n) / 8n + 1n;
    return needed > now ? needed : now;
  };
  if (old.fields.type === "legacy") return legacy(raise(old.max, fullPrice));
  // A legacy price contains the base fee, so it says nothing about tips.
  const tip = price.fields.type === "legacy" ? 0n : tipOf(price.fields);
  return dynamic(raise(old.max, price.max), raise(tipOf(old.fields), tip));
}

/**
 * Returns a price for a transaction that stays unmined although nodes report
 * that its price is sufficient: twice the old price, and at least a thousandth of
 * the network's limit, but at most the limit.
 */
export function raiseStuck(old: Price, market: Market): Price {
  const { limit } = market;
  const usual = raisePrice(old, market);
  const raise = (before: bigint, now: bigint): bigint => {
    const [least, twice] = [limit / 1000n, 2n * before];
    const raised = twice > least ? twice : least;
    const most = raised < limit ? raised : limit;
    return most > now ? most : now;
  };
  const tip = raise(tipOf(old.fields), tipOf(usual.fields));
  const max = raise(old.max, usual.max);
  return old.fields.type === "legacy"
    ? legacy(max)
    : dynamic(max, tip < max ? tip : max);
}

/** Creates the price of a transaction on a chain without a base fee. */
export function legacy(gasPrice: bigint): Price {
  return { fields: { type: "legacy", gasPrice }, max: gasPrice };
}

/** Creates the price of a transaction on a chain with a base fee. */
export function dynamic(
  maxFeePerGas: bigint,
  maxPriorityFeePerGas: bigint,
): Price {
  return {
    fields: { type: "eip1559", maxFeePerGas, maxPriorityFeePerGas },
    max: maxFeePerGas,
  };
}
