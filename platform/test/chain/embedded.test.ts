import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createPublicClient, http } from "viem";
import { afterAll, expect, test } from "vitest";

import { startEmbeddedChain } from "../../chain/embedded.js";
import { deployFixtures } from "../../chain/fixtures.js";

const folder = mkdtempSync(join(tmpdir(), "ridlkit-chain-"));
afterAll(() => rmSync(folder, { recursive: true }));

const start = () =>
  startEmbeddedChain({
    chainId: 31337,
    folder,
    saveEveryMs: 60_000,
    onError: (error) => {
      throw error;
    },
  });

/** The last block, and all logs up to it. */
async function readHistory(rpcUrl: string) {
  const client = createPublicClient({ transport: http(rpcUrl) });
  const block = await client.getBlock();
  const logs = await client.getLogs({ fromBlock: 0n });
  return { hash: block.hash, number: block.number, logs };
}

test("finds its blocks, logs and contracts again, and adds nothing twice", async () => {
  const first = await start();
  const fixtures = await deployFixtures(first.rpcUrl, 31337);
  const before = await readHistory(first.rpcUrl);
  await first.stop();
  expect(before.logs.length).toBeGreaterThan(10);

  const second = await start();
  expect(await deployFixtures(second.rpcUrl, 31337)).toEqual(fixtures);
  expect(await readHistory(second.rpcUrl)).toEqual(before);
  await second.stop();
});
