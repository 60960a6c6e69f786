import {
  type Address,
  encodeFunctionData,
  hexToBigInt,
  type Hex,
  isHex,
  parseAbi,
  type TransactionReceipt,
  type TransactionSerializable,
  serializeTransaction,
} from "viem";

import type { Network } from "../../network/networks.js";
import { readChain } from "../../network/read-chain.js";

/** The contract that reports what OP Stack rollups charge besides gas. */
const oracle: Address = "0x420000000000000000000000000000000000000F";

const oracleAbi = parseAbi([
  "function getL1Fee(bytes transaction) view returns (uint256)",
  "function getOperatorFee(uint256 gasUsed) view returns (uint256)",
]);

/** A margin for increases in the fees. */
const margin = 2n;

/**
 * Estimates the maximum that a rollup charges for a transaction in addition to
 * gas: for its data and for the rollup's operator. The amount is in the
 * currency's smallest unit, and 0 on other chains.
 *
 * Errors: `Unavailable` if the chain does not respond.
 */
export async function estimateRollupFees(
  network: Network,
  transaction: TransactionSerializable & { readonly gas: bigint },
): Promise<bigint> {
  const questions = [
    encodeFunctionData({
      ...{ abi: oracleAbi, functionName: "getL1Fee" },
      args: [serializeTransaction(transaction)],
    }),
    encodeFunctionData({
      ...{ abi: oracleAbi, functionName: "getOperatorFee" },
      args: [transaction.gas],
    }),
  ];
  const fees = await Promise.all(
    questions.map((data) => askOracle(network, data)),
  );
  return fees.reduce((sum, fee) => sum + margin * fee, 0n);
}

async function askOracle(network: Network, data: Hex): Promise<bigint> {
  const answer = await readChain(network, (client) =>
    client.call({ to: oracle, data }),
  );
  const fee = answer?.data;
  return fee?.length === 66 ? hexToBigInt(fee) : 0n;
}

/**
 * Returns the amount that a rollup charged in addition to gas, or 0 if the
 * receipt does not contain it.
 */
export function rollupFeeOf(receipt: TransactionReceipt): bigint {
  const fields = new Map<string, unknown>(Object.entries(receipt));
  const amountOf = (field: string): bigint => {
    const value = fields.get(field);
    return typeof value === "bigint"
      ? value
      : isHex(value)
        ? hexToBigInt(value)
        : 0n;
  };
  const scaled = receipt.gasUsed * amountOf("operatorFeeScalar");
  // The Jovian upgrade changed the unit of the scalar. It also introduced this
  // field.
  const isJovian = fields.has("daFootprintGasScalar");
  return (
    amountOf("l1Fee") +
    (isJovian ? scaled * 100n : scaled / 1_000_000n) +
    amountOf("operatorFeeConstant")
  );
}
