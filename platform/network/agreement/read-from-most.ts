import { UnavailableError } from "../../../generated/errors.js";
import { type BlockHeader, readHead, readHeader } from "../block-header.js";
import { requireHead } from "../moment.js";
import type { Network } from "../networks.js";
import { readChain } from "../read-chain.js";
import { askAll } from "./ask-all.js";
import { agreedBy, present, reachedBy } from "./majority.js";
import { onlyNode } from "./only-node.js";

/**
 * Reads what must be the same on all nodes of a network: what a majority of those
 * that respond reports. Unlike for money of the platform, one of two nodes that is
 * down does not matter.
 *
 * Input: `ask` reads from a network that only asks one of the nodes.
 * Errors: `Unavailable` if they do not agree, or none responds.
 */
export async function readFromMost<Value>(
  network: Network,
  what: string,
  ask: (only: Network) => Promise<Value>,
  keyOf: (value: Value) => string = String,
): Promise<Value> {
  const values = await askEach(
    network,
    ask,
    (found) => agreedBy(found, keyOf) !== null,
  );
  const agreed = agreedBy(values, keyOf);
  if (agreed !== null) return agreed;
  const cause = `the nodes of ${network.handle} do not agree about ${what}`;
  throw new UnavailableError({ cause });
}

/**
 * Reads the last block that a majority of the nodes has reached, among those that
 * respond.
 *
 * Errors: `Unavailable` if they do not agree about it, or none responds.
 */
export async function readHeadOfMost(network: Network): Promise<BlockHeader> {
  if (network.nodes().length === 1) return requireHead(network);
  const heads = await askEach(network, (only) => readHead(only.client()));
  const number = reachedBy(heads.map((head) => head.number));
  const { block } = await readFromMost(
    network,
    "their last block",
    async (only) => ({ block: await readHeader(only.client(), number) }),
    ({ block: each }) => `${each?.hash} ${each?.minedAt.getTime()}`,
  );
  if (block !== null) return block;
  const cause = `the nodes of ${network.handle} lack block ${number}`;
  throw new UnavailableError({ cause });
}

/** Asks each node. Returns the answers, of which there is at least one. */
async function askEach<Value>(
  network: Network,
  ask: (only: Network) => Promise<Value>,
  isEnough?: (found: readonly (Value | null)[]) => boolean,
): Promise<readonly Value[]> {
  const values = await readChain(network, () =>
    askAll(
      network.nodes(),
      (node) => ask(onlyNode(network, node)),
      isEnough,
      true,
    ),
  );
  const answers = present(values ?? []);
  if (answers.length > 0) return answers;
  const cause = `the nodes of ${network.handle} do not respond`;
  throw new UnavailableError({ cause });
}
