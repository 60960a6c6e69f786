import { type Address, BaseError, type PublicClient } from "viem";

import { majorityOf } from "./majority.js";
import { readHead } from "../block-header.js";
import type { Network } from "../networks.js";

/**
 * Finds the block that deployed a contract: the first one that any of the nodes
 * reports, because one without old states can report a later one.
 *
 * Errors: BaseError if most nodes fail or report that there is no such contract.
 */
export async function findDeploymentOfAll(
  { nodes }: Pick<Network, "nodes">,
  address: Address,
): Promise<number> {
  const asked = nodes().map((node) => findDeployment(node, address));
  const found = await Promise.allSettled(asked);
  const blocks = found.flatMap((each) =>
    each.status === "fulfilled" ? [each.value] : [],
  );
  if (blocks.length >= majorityOf(found.length)) return Math.min(...blocks);
  // Fails with the reason of a node.
  await Promise.all(asked);
  throw new BaseError("there is no node");
}

/**
 * Finds the block that deployed a contract according to a node, using binary search. This does not
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
