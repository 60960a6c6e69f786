import {
  parseGwei,
  type PublicClient,
  type TransactionSerializable,
} from "viem";

import type { Network } from "../network/networks.js";
import { pause } from "../process/lifecycle/pause.js";

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
  /** The maximum price per gas unit that a transaction may offer. */
  readonly limit: bigint;
}

/** The prices that one node reports. The base fee is null without one. */
interface Quote {
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

/** How many times the tip of recent blocks a node can suggest. */
const maxTipFactor = 3n;

/** How long to wait for other nodes once the first one has responded. */
const othersMs = 500;

/**
 * Reads the current prices. A single node can report any price, so each value is
 * the median of all nodes, a tip is limited by what recent blocks were paid, and
 * no price exceeds the network's limit.
 *
 * Errors: any error from viem, if no node responds.
 */
export async function readMarket(network: Network): Promise<Market> {
  const quotes = await askAll(network.nodes(), readQuote);
  const limit = limitOf(network);
  const offer = medianOf(quotes.map((quote) => quote.offer));
  const baseFees = quotes.flatMap(({ baseFee }) => baseFee ?? []);
  if (baseFees.length === 0)
    return { price: legacy(offer), baseFee: 0n, limit };
  const baseFee = medianOf(baseFees);
  const best = 2n * baseFee + offer;
  // Below the limit, the price is sufficient at least for the next block.
  const max = best > limit && baseFee + offer <= limit ? limit : best;
  return { price: dynamic(max, offer), baseFee, limit };
}

/** Returns the maximum price per gas unit on a network. */
export function limitOf({
  chainId,
  maxGasPriceGwei,
}: Pick<Network, "chainId" | "maxGasPriceGwei">): bigint {
  const known = limitsGwei.get(chainId) ?? defaultLimitGwei;
  return parseGwei(String(maxGasPriceGwei ?? known));
}

/** Returns why a price must not be offered, or null if it may be. */
export function explainLimit(
  { max }: Pick<Price, "max">,
  { limit }: Pick<Market, "limit">,
): string | null {
  return max > limit
    ? "the network's gas price exceeds the limit in the settings"
    : null;
}

/** Returns the results of all nodes that respond soon after the first one. */
async function askAll<Result>(
  nodes: readonly PublicClient[],
  ask: (node: PublicClient) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const asked = nodes.map(async (node) => void results.push(await ask(node)));
  const all = Promise.allSettled(asked);
  const stopping = new AbortController();
  const soon = Promise.any(asked).then(() => pause(othersMs, stopping.signal));
  await Promise.race([all, soon]).finally(() => stopping.abort());
  // Without any result, this rejects with the error of the first node.
  if (results.length === 0) await asked[0];
  return [...results];
}

async function readQuote(node: PublicClient): Promise<Quote> {
  const { baseFeePerGas: baseFee } = await node.getBlock();
  if (baseFee === null) return { baseFee, offer: await node.getGasPrice() };
  const [tip, paid] = await Promise.all([
    node.estimateMaxPriorityFeePerGas(),
    readPaidTip(node).catch(() => null),
  ]);
  const most = paid === null ? tip : maxTipFactor * paid;
  return { baseFee, offer: tip < most ? tip : most };
}

/** Returns the median tip of recent blocks, or null if they were empty. */
async function readPaidTip(node: PublicClient): Promise<bigint | null> {
  const { reward = [] } = await node.getFeeHistory({
    ...{ blockCount: 20, rewardPercentiles: [50] },
  });
  const paid = reward.flat().filter((each) => each > 0n);
  return paid.length === 0 ? null : medianOf(paid);
}

/** Returns the median, or the lower one of two. */
function medianOf(values: readonly bigint[]): bigint {
  const sorted = [...values].sort((one, other) =>
    one < other ? -1 : one > other ? 1 : 0,
  );
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0n;
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
