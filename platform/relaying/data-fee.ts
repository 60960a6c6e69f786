import {
  type Address,
  encodeFunctionData,
  hexToBigInt,
  isHex,
  parseAbi,
  type TransactionReceipt,
  type TransactionSerializable,
  serializeTransaction,
} from "viem";

import type { Network } from "../network/networks.js";
import { readChain } from "../network/read-chain.js";

/** Where the rollups of the OP stack say what they charge for data. */
const oracle: Address = "0x420000000000000000000000000000000000000F";

const oracleAbi = parseAbi([
  "function getL1Fee(bytes transaction) view returns (uint256)",
]);

/** By then the price of data may have risen. */
const margin = 2n;

/**
 * What a rollup can charge for the data of a transaction besides its gas, in the
 * smallest unit of the currency; 0 on other chains.
 *
 * Errors: `Unavailable` when the chain does not answer.
 */
export async function estimateDataFee(
  network: Network,
  transaction: TransactionSerializable,
): Promise<bigint> {
  const data = encodeFunctionData({
    abi: oracleAbi,
    functionName: "getL1Fee",
    args: [serializeTransaction(transaction)],
  });
  const answer = await readChain(network, (client) =>
    client.call({ to: oracle, data }),
  );
  const fee = answer?.data;
  return fee?.length === 66 ? margin * hexToBigInt(fee) : 0n;
}

/** What a rollup has charged besides gas; 0 where the receipt says nothing. */
export function dataFeeOf(receipt: TransactionReceipt): bigint {
  const { l1Fee } = { l1Fee: null as unknown, ...receipt };
  if (typeof l1Fee === "bigint") return l1Fee;
  return isHex(l1Fee) ? hexToBigInt(l1Fee) : 0n;
}
