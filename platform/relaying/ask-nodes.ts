import {
  getAddress,
  type Hash,
  numberToHex,
  type PublicClient,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from "viem";

import { readHeader, readHead } from "../network/block-header.js";
import type { Network } from "../network/networks.js";
import { rollupFeeOf } from "./rollup-fees.js";
import {
  type Findings,
  type KnownTransaction,
  type MinedTransaction,
  nonceKey,
  type NodeView,
  type Receipt,
  type Step,
} from "./next-step.js";
import type { StoredRelay } from "./stored-relay.js";

type Question = Extract<Step, { readonly kind: "ask" }>;

/**
 * Asks a network's nodes about a relay.
 *
 * Input: the accounts that sign new transactions.
 * Errors: any error from viem.
 */
export async function askNodes(
  network: Network,
  { row, transactions }: StoredRelay,
  question: Question,
  accounts: readonly string[],
): Promise<Partial<Findings>> {
  switch (question.question) {
    case "counts": {
      const senders = transactions.map(({ account }) => account);
      const names = [...new Set([...accounts, ...senders])];
      const counts = names.map(async (name) => {
        const address = getAddress(name);
        const count = await network.client().getTransactionCount({ address });
        return [name, count] as const;
      });
      return { counts: new Map(await Promise.all(counts)) };
    }
    case "receipts": {
      const hashes = transactions.map(({ hash }) => hash);
      return { receipts: await readReceipts(network.client(), hashes) };
    }
    case "bookedBlock": {
      const block = await network.client().request({
        method: "eth_getBlockByNumber",
        params: [numberToHex(row.block_number ?? 0), false],
      });
      return {
        bookedBlock: block && block.transactions.map((each) => String(each)),
      };
    }
    case "users": {
      const users = new Map<string, MinedTransaction>();
      for (const about of question.about) {
        const user = await findUser(network.client(), about);
        if (user !== null) users.set(nonceKey(about), user);
      }
      return { users };
    }
    case "views": {
      const views = network
        .nodes()
        .map((node) => readView(node, question.blockNumbers).catch(() => null));
      return { views: await Promise.all(views) };
    }
  }
}

async function readReceipts(
  client: PublicClient,
  hashes: readonly Hash[],
): Promise<ReadonlyMap<string, Receipt>> {
  const read = hashes.map(async (hash) => {
    const receipt = await readReceipt(client, hash);
    return receipt === null ? [] : [[hash, receipt] as const];
  });
  return new Map((await Promise.all(read)).flat());
}

/** Reads the receipt of a transaction, or null if the node has none. */
export async function readReceipt(
  client: PublicClient,
  hash: Hash,
): Promise<Receipt | null> {
  try {
    return toReceipt(await client.getTransactionReceipt({ hash }));
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return null;
    throw error;
  }
}

function toReceipt(receipt: TransactionReceipt): Receipt {
  const { blockHash, blockNumber, effectiveGasPrice, gasUsed } = receipt;
  return {
    hash: receipt.transactionHash,
    blockNumber: Number(blockNumber),
    blockHash,
    isSuccess: receipt.status === "success",
    gasUsed,
    cost: gasUsed * effectiveGasPrice + rollupFeeOf(receipt),
  };
}

/**
 * Finds the transaction that used a nonce, by searching for the block in which
 * the account's number of transactions exceeded it. Returns null if the node
 * does not have that block or its state.
 */
async function findUser(
  client: PublicClient,
  { account, nonce }: KnownTransaction,
): Promise<MinedTransaction | null> {
  const address = getAddress(account);
  const isUsedAt = async (number: number): Promise<boolean> =>
    nonce <
    (await client.getTransactionCount({
      address,
      blockNumber: BigInt(number),
    }));
  try {
    const { number: head } = await readHead(client);
    if (!(await isUsedAt(head))) return null;
    let used = head;
    let unused = head - 1;
    while (unused >= 0 && (await isUsedAt(unused))) {
      used = unused;
      unused = head - 2 * (head - unused);
    }
    unused = Math.max(unused, -1);
    while (used - unused > 1) {
      const middle = Math.floor((used + unused) / 2);
      if (await isUsedAt(middle)) used = middle;
      else unused = middle;
    }
    const block = await client.getBlock({
      ...{ blockNumber: BigInt(used), includeTransactions: true },
    });
    const found = block.transactions.find(
      (each) => each.nonce === nonce && each.from.toLowerCase() === account,
    );
    if (found === undefined) return null;
    return { hash: found.hash, blockNumber: used, blockHash: block.hash };
  } catch {
    return null;
  }
}

async function readView(
  node: PublicClient,
  numbers: readonly number[],
): Promise<NodeView> {
  const hashes = new Map<number, string>();
  for (const number of numbers) {
    const header = await readHeader(node, number);
    if (header !== null) hashes.set(number, header.hash);
  }
  const { number: head } = await readHead(node);
  return { head, hashes };
}
