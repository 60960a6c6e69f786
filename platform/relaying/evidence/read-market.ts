import type { LocalAccount, PublicClient } from "viem";

import { UnavailableError } from "../../../generated/errors.js";
import { askAll } from "../../network/agreement/ask-all.js";
import {
  areClose,
  medianOf,
  present,
} from "../../network/agreement/majority.js";
import type { Network } from "../../network/networks.js";
import { readChain } from "../../network/read-chain.js";
import {
  areSimilar,
  type Evidence,
  judgeReached,
  judgeEqual,
  judgeGas,
  judgeMarket,
} from "./evidence.js";
import { limitOf, type Market, type Quote } from "./price.js";

/** The reason for not signing transactions while nobody confirms their gas. */
export const noGas = "most nodes do not report a possible amount of gas";

/** How many times the tip of recent blocks a node can suggest. */
const maxTipFactor = 3n;

/**
 * Reads the current prices from all nodes. Returns null if most nodes do not
 * report any.
 *
 * Errors: any error from viem, if no node responds.
 */
export async function readMarket(
  network: Network,
): Promise<Evidence<Market> | null> {
  const quotes = await askAll(network.nodes(), readQuote, (found) =>
    areSimilar(present(found)),
  );
  return judgeMarket(quotes, limitOf(network));
}

/**
 * Reads the balance of an account from all nodes.
 *
 * Errors: any error from viem, if no node responds.
 */
export async function readBalance(
  network: Network,
  { address }: Pick<LocalAccount, "address">,
): Promise<Evidence<bigint>> {
  const balances = await askAll(
    network.nodes(),
    (node) => node.getBalance({ address }),
    (found) => areClose(present(found)),
  );
  return judgeReached(balances);
}

/**
 * Reads the number of the last block from all nodes.
 *
 * Errors: any error from viem, if no node responds.
 */
export async function readHeight(network: Network): Promise<Evidence<bigint>> {
  const heights = await askAll(network.nodes(), (node) =>
    node.getBlockNumber({ cacheTime: 0 }),
  );
  return judgeReached(heights);
}

/**
 * Reads the gas of a transaction without effect from all nodes. Returns null if
 * it cannot be right, or most nodes do not report it.
 *
 * Errors: any error from viem, if no node responds.
 */
export async function readEmptyGas(
  network: Network,
  account: LocalAccount,
): Promise<Evidence<bigint> | null> {
  const { address } = account;
  const estimates = await askAll(
    network.nodes(),
    // With the local account, viem would first ask for a whole transaction.
    (node) => node.estimateGas({ account: address, to: address }),
    (found) => areClose(present(found)),
  );
  return judgeGas(estimates);
}

/**
 * Reads what must be the same on all nodes: what a majority of all nodes reports.
 *
 * Errors: `Unavailable` if there is no majority, or no node responds.
 */
export async function readAgreed<Value>(
  network: Network,
  what: string,
  ask: (node: PublicClient) => Promise<Value>,
  keyOf: (value: Value) => string = String,
): Promise<Evidence<Value>> {
  const values = await readChain(network, () =>
    askAll(network.nodes(), ask, (found) => judgeEqual(found, keyOf) !== null),
  );
  const agreed = values && judgeEqual(values, keyOf);
  if (agreed) return agreed;
  const cause = `most nodes of ${network.handle} do not agree about ${what}`;
  throw new UnavailableError({ cause });
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
