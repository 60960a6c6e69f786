import { parseEther } from "viem";
import { expect } from "vitest";

import {
  costOf,
  hashOf,
  type OpenRelaying,
  relayOf,
} from "../support/open-relaying.js";
import { reorganize } from "../support/start-chain.js";
import { callOf } from "../support/relaying.js";

/**
 * Removes blocks with relays from the chain. Checks that each relay ends up on
 * the chain and that the tank has paid exactly what the relays cost.
 */
export async function testReorganization(
  { anvil, owner, createWallet, startWorking, openSponsor }: OpenRelaying,
  depth: number,
): Promise<void> {
  const { wallet, sponsor, relay, readTank, getRelay, settled } =
    await openSponsor();
  const other = await createWallet();
  await sponsor(other);
  // Make sure that there are enough blocks to remove.
  await anvil.mine({ blocks: depth });
  startWorking();
  const first = await settled(await relayOf(relay(callOf(wallet))));
  const last = await settled(await relayOf(relay(callOf(other))));
  const relays = [first, last];
  await reorganize(anvil, depth);
  await expect(
    owner.getTransactionReceipt({ hash: hashOf(last) }),
  ).rejects.toThrow();
  await expect
    .poll(async () => {
      const found = await Promise.all(relays.map(({ id }) => getRelay(id)));
      const costs = await Promise.all(
        found.map((each) => costOf(owner, each).catch(() => null)),
      );
      const paid = costs.reduce((sum: bigint, cost) => sum + (cost ?? 0n), 0n);
      return {
        ...{ isOnChain: !costs.includes(null) },
        ...{ states: found.map(({ status }) => status) },
        isPaid: (await readTank()) === parseEther("1") - paid,
      };
    })
    .toEqual({ isOnChain: true, states: ["done", "done"], isPaid: true });
}
