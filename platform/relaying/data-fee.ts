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

/** The contract that reports the data fees of OP Stack rollups. */
const oracle: Address = "0x420000000000000000000000000000000000000F";

const oracleAbi = parseAbi([
  "function getL1Fee(bytes transaction) view returns (uint256)",
]);

/** A margin for increases in the data price. */
const margin = 2n;

/**
 * Estimates the maximum that a rollup charges for a transaction's data in
 * addition to gas, in the currency's smallest unit. Returns 0 on other chains.
 *
 * Errors: `Unavailable` if the chain does not respond.
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

/**
 * Returns the amount that a rollup charged in addition to gas, or 0 if the
 * receipt does not contain it.
 */
export function dataFeeOf(receipt: TransactionReceipt): bigint {
  const { l1Fee } = { l1Fee: null as unknown, ...receipt };
  if (typeof l1Fee === "bigint") return l1Fee;
  return isHex(l1Fee) ? hexToBigInt(l1Fee) : 0n;
}
