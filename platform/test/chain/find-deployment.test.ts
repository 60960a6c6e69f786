import { createPublicClient, custom, zeroAddress } from "viem";
import { expect, test } from "vitest";

import {
  findDeployment,
  findDeploymentOfAll,
} from "../../network/agreement/find-deployment.js";
import {
  extendBy,
  networkOf,
  openFakeNode,
  token,
} from "../follower/fake-nodes.js";
import { hashOf } from "../marketplace/stub-chain.js";

const head = 20_000_000;

/**
 * Opens a chain on which a contract exists from a given block on. Output: the
 * chain's client and a counter of requests.
 */
function openChain(deployedAt: number) {
  const state = { asked: 0 };
  const client = createPublicClient({
    transport: custom({
      request: ({ method, params }: { method: string; params: unknown[] }) => {
        state.asked += 1;
        if (method === "eth_getCode") {
          return Promise.resolve(
            Number(params[1]) < deployedAt ? "0x" : "0x60",
          );
        }
        const number = `0x${head.toString(16)}`;
        const [hash, parentHash] = [hashOf(head), hashOf(head - 1)];
        return Promise.resolve({ number, hash, parentHash, timestamp: "0x1" });
      },
    }),
  });
  return { client, state };
}

test.each([0, 1, 14_946_474, head])(
  "finds the first block that has the contract's code: %i",
  async (block) => {
    const { client, state } = openChain(block);
    expect(await findDeployment(client, zeroAddress)).toBe(block);
    expect(state.asked).toBeLessThan(30);
  },
);

test("fails for an address without a contract", async () => {
  const { client } = openChain(head + 1);
  await expect(findDeployment(client, zeroAddress)).rejects.toThrow(
    "there is no contract",
  );
});

test("a node without old states does not hide an earlier block", async () => {
  const chain = extendBy([], 50);
  const nodes = [await openFakeNode(chain), await openFakeNode(chain)];
  const [forgetful, archive] = nodes;
  Object.assign(forgetful ?? {}, { codeFrom: 40 });
  Object.assign(archive ?? {}, { codeFrom: 10 });
  const network = networkOf(nodes);
  expect(await findDeploymentOfAll(network, token)).toBe(10);
  // The first one alone must not decide what is stored for good.
  Object.assign(archive ?? {}, { refused: ["eth_getCode"] });
  await expect(findDeploymentOfAll(network, token)).rejects.toThrow(
    "limit exceeded",
  );
});
