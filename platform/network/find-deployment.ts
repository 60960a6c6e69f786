import { type Address, BaseError, type PublicClient } from "viem";

import { readHead } from "./block-header.js";

/**
 * Finds the block that deployed a contract, using binary search. This does not
 * work with nodes that do not keep old states.
 *
 * Errors: any error from viem; BaseError if there is no such contract.
 */
export async function findDeployment(
  client: PublicClient,
  address: Address,
): Promise<number> {
  const hasCodeAt = async (block: number): Promise<boolean> => {
    const code = await client.getCode({ address, blockNumber: BigInt(block) });
    return code !== undefined;
  };
  let without = -1;
  let first = (await readHead(client)).number;
  if (!(await hasCodeAt(first))) {
    throw new BaseError(`there is no contract ${address}`);
  }
  while (first - without > 1) {
    const middle = Math.floor((without + first) / 2);
    if (await hasCodeAt(middle)) first = middle;
    else without = middle;
  }
  return first;
}
