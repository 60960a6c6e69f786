import { createTestClient, http } from "viem";

import type { TestMarket } from "./open-market.js";

/** Replaces the blocks that a change creates. */
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
  // Mine more blocks than the change created.
  await client.increaseTime({ seconds: 5 });
  await client.mine({ blocks: 3 });
}
