import { createTestClient, http } from "viem";

import type { TestMarket } from "./open-market.js";

/** Puts other blocks in the place of those that a change makes. */
export async function rewind(
  { chain }: TestMarket,
  change: () => Promise<void>,
): Promise<void> {
  const client = createTestClient({
    mode: "anvil",
    transport: http(chain.rpcUrl),
  });
  const id = await client.snapshot();
  await change();
  await client.revert({ id });
  // Another block in the place of the one that has gone, and one more.
  await client.increaseTime({ seconds: 5 });
  await client.mine({ blocks: 3 });
}
