import {
  type Address,
  BaseError,
  encodeFunctionData,
  hexToBigInt,
  type Hex,
  isHex,
  parseAbi,
  type PublicClient,
  type TransactionReceipt,
  type TransactionSerializable,
  serializeTransaction,
} from "viem";

import { askAll } from "../../network/agreement/ask-all.js";
import { areClose, present } from "../../network/agreement/majority.js";
import type { Network } from "../../network/networks.js";
import { isRefusal, readChain } from "../../network/read-chain.js";
import { type Evidence, judgeRollupFee, maxGas } from "./evidence.js";
import { limitOf } from "./price.js";

/** The contract that reports what OP Stack rollups charge besides gas. */
const oracle: Address = "0x420000000000000000000000000000000000000F";

const oracleAbi = parseAbi([
  "function getL1Fee(bytes transaction) view returns (uint256)",
  "function getOperatorFee(uint256 gasUsed) view returns (uint256)",
]);

/** A margin for increases in the fees. */
const margin = 2n;

/** Returns the most that a rollup can charge in addition to gas. */
export function maxRollupFeeOf(
  network: Pick<Network, "chainId" | "maxGasPriceGwei">,
): bigint {
  return limitOf(network) * maxGas;
}

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
): Promise<Evidence<bigint>> {
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
  const ask = async (node: PublicClient): Promise<bigint> => {
    const parts = questions.map((data) => askOracle(node, data));
    const amounts = await Promise.all(parts);
    return amounts.reduce((sum, fee) => sum + margin * fee, 0n);
  };
  const fees = await readChain(network, () =>
    askAll(network.nodes(), ask, (found) => areClose(present(found))),
  );
  return judgeRollupFee(fees ?? [null], maxRollupFeeOf(network));
}

/** Asks for a fee. Chains without the contract, and older rollups, have none. */
async function askOracle(node: PublicClient, data: Hex): Promise<bigint> {
  try {
    const { data: fee } = await node.call({ to: oracle, data });
    return fee?.length === 66 ? hexToBigInt(fee) : 0n;
  } catch (error) {
    if (error instanceof BaseError && isRefusal(error)) return 0n;
    throw error;
  }
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
