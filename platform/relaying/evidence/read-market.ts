import type { LocalAccount, PublicClient } from "viem";

import type { Network } from "../../network/networks.js";
import { askAll } from "./ask-all.js";
import {
  type Evidence,
  judgeBalance,
  judgeGas,
  judgeMarket,
} from "./evidence.js";
import { limitOf, type Market, medianOf, type Quote } from "./price.js";

/** How many times the tip of recent blocks a node can suggest. */
const maxTipFactor = 3n;

/**
 * Reads the current prices from all nodes.
 *
 * Errors: any error from viem, if no node responds.
 */
export async function readMarket(network: Network): Promise<Evidence<Market>> {
  const quotes = await askAll(network.nodes(), readQuote);
  return judgeMarket(present(quotes), limitOf(network));
}

/**
 * Reads the balance of an account from all nodes, at the last block or another.
 *
 * Errors: any error from viem, if no node responds.
 */
export async function readBalance(
  network: Network,
  { address }: Pick<LocalAccount, "address">,
  blockNumber?: bigint,
): Promise<Evidence<bigint>> {
  const balances = await askAll(network.nodes(), (node) =>
    node.getBalance(
      blockNumber === undefined ? { address } : { address, blockNumber },
    ),
  );
  return judgeBalance(present(balances));
}

/**
 * Reads the gas of a transaction without effect from all nodes. Returns null if
 * it cannot be right.
 *
 * Errors: any error from viem, if no node responds.
 */
export async function readEmptyGas(
  network: Network,
  account: LocalAccount,
): Promise<Evidence<bigint> | null> {
  const to = account.address;
  const estimates = await askAll(network.nodes(), (node) =>
    node.estimateGas({ account, to }),
  );
  return judgeGas(present(estimates));
}

function present<Value>(values: readonly (Value | null)[]): readonly Value[] {
  return values.flatMap((value) => (value === null ? [] : [value]));
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
