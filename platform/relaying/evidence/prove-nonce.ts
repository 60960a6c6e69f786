import {
  getAddress,
  keccak256,
  parseTransaction,
  type PublicClient,
  recoverTransactionAddress,
  serializeTransaction,
  type Transaction,
  type TransactionSerialized,
} from "viem";

import { readHead } from "../../network/block-header.js";
import type { MinedTransaction } from "./reports.js";

/**
 * Finds the transaction that used a nonce, by searching for the block in which
 * the account's number of transactions exceeded it. Only believes a transaction
 * with the signature of the account for this chain, which no node can forge. The
 * account is the same on all chains, so its transactions on others prove nothing.
 *
 * Returns null if the node does not have that block or its state.
 */
export async function findUser(
  client: PublicClient,
  chainId: number,
  { account, nonce }: { readonly account: string; readonly nonce: number },
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
    if (found === undefined || !(await isSigned(found, chainId))) return null;
    return { hash: found.hash, blockNumber: used, blockHash: block.hash };
  } catch {
    return null;
  }
}

/** Returns whether a transaction has the signature of its sender for a chain. */
async function isSigned(
  transaction: Transaction,
  chainId: number,
): Promise<boolean> {
  const serialized = serialize(transaction);
  if (
    serialized === null ||
    keccak256(serialized) !== transaction.hash ||
    parseTransaction(serialized).chainId !== chainId
  ) {
    return false;
  }
  const sender = await recoverTransactionAddress({
    serializedTransaction: serialized,
  });
  return sender.toLowerCase() === transaction.from.toLowerCase();
}

/** Serializes a signed transaction, or returns null if its type is unusual. */
function serialize(transaction: Transaction): TransactionSerialized | null {
  const { gas, input: data, nonce, r, s, to, v, value } = transaction;
  const common = { data, gas, nonce, to, value };
  switch (transaction.type) {
    case "legacy": {
      const { chainId, gasPrice, type } = transaction;
      const unsigned = {
        ...{ ...common, gasPrice, type },
        ...(chainId !== undefined && { chainId }),
      };
      return serializeTransaction(unsigned, { r, s, v });
    }
    case "eip2930": {
      const { accessList, chainId, gasPrice, type, yParity } = transaction;
      const unsigned = { ...common, accessList, chainId, gasPrice, type };
      return serializeTransaction(unsigned, { r, s, yParity });
    }
    case "eip1559": {
      const { accessList, chainId, type, yParity } = transaction;
      const { maxFeePerGas, maxPriorityFeePerGas } = transaction;
      const unsigned = {
        ...{ ...common, accessList, chainId, type },
        ...{ maxFeePerGas, maxPriorityFeePerGas },
      };
      return serializeTransaction(unsigned, { r, s, yParity });
    }
    default:
      return null;
  }
}
