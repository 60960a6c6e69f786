import type { PublicClient } from "viem";

/** What a transaction says of its price, and the highest that this may come to. */
export interface Price {
  readonly fields:
    | { readonly type: "legacy"; readonly gasPrice: bigint }
    | {
        readonly type: "eip1559";
        readonly maxFeePerGas: bigint;
        readonly maxPriorityFeePerGas: bigint;
      };
  /** For one unit of gas. */
  readonly max: bigint;
}

/** A price that holds good while the chain's own doubles. */
export async function readPrice(client: PublicClient): Promise<Price> {
  const { baseFeePerGas } = await client.getBlock();
  if (baseFeePerGas === null) {
    const gasPrice = await client.getGasPrice();
    return { fields: { type: "legacy", gasPrice }, max: gasPrice };
  }
  const maxPriorityFeePerGas = await client.estimateMaxPriorityFeePerGas();
  const max = 2n * baseFeePerGas + maxPriorityFeePerGas;
  return {
    fields: { type: "eip1559", maxFeePerGas: max, maxPriorityFeePerGas },
    max,
  };
}
