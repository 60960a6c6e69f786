import type { PublicClient, TransactionSerializable } from "viem";

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
}

/** Reads the current prices. Errors: any error from viem. */
export async function readMarket(client: PublicClient): Promise<Market> {
  const { baseFeePerGas: baseFee } = await client.getBlock();
  if (baseFee === null) {
    const gasPrice = await client.getGasPrice();
    return { price: legacy(gasPrice), baseFee: 0n };
  }
  const tip = await client.estimateMaxPriorityFeePerGas();
  return { price: dynamic(2n * baseFee + tip, tip), baseFee };
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
  { price, baseFee }: Market,
): boolean {
  if (fields.type === "legacy") return max < price.max;
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
export function raisePrice(old: Price, { price }: Market): Price {
  const raise = (before: bigint, now: bigint): bigint => {
    const needed = (before * 9n) / 8n + 1n;
    return needed > now ? needed : now;
  };
  const tip = raise(tipOf(old.fields), tipOf(price.fields));
  const max = raise(old.max, price.max);
  return old.fields.type === "legacy" ? legacy(max) : dynamic(max, tip);
}

function legacy(gasPrice: bigint): Price {
  return { fields: { type: "legacy", gasPrice }, max: gasPrice };
}

function dynamic(maxFeePerGas: bigint, maxPriorityFeePerGas: bigint): Price {
  return {
    fields: { type: "eip1559", maxFeePerGas, maxPriorityFeePerGas },
    max: maxFeePerGas,
  };
}
