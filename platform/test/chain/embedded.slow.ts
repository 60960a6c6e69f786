import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createPublicClient, http } from "viem";
import { afterAll, expect, test } from "vitest";

import { createFixtureAccounts } from "../../chain/accounts.js";
import { openChainWallet } from "../../chain/chain-wallet.js";
import {
  type EmbeddedChain,
  startEmbeddedChain,
} from "../../chain/embedded.js";
import { deployFixtures } from "../../chain/fixtures.js";

const chainId = 31337;
const parent = mkdtempSync(join(tmpdir(), "ridlkit-chain-"));
afterAll(() => rmSync(parent, { recursive: true }));

const start = (folder: string, saveEveryMs: number): Promise<EmbeddedChain> =>
  startEmbeddedChain({
    chainId,
    folder,
    saveEveryMs,
    onError: (error) => {
      throw error;
    },
  });

/** Reads the last block and all logs up to that block. */
async function readHistory({ rpcUrl }: EmbeddedChain) {
  const client = createPublicClient({ transport: http(rpcUrl) });
  const { hash, number } = await client.getBlock();
  const logs = await client.getLogs({ fromBlock: 0n });
  return { hash, number, logs };
}

test("restores its blocks, logs, and contracts without duplicates", async () => {
  const folder = join(parent, "stopped");
  const first = await start(folder, 60_000);
  const fixtures = await deployFixtures(first.rpcUrl, chainId);
  const history = await readHistory(first);
  await first.stop();
  expect(history.logs.length).toBeGreaterThan(10);

  const second = await start(folder, 60_000);
  expect(await deployFixtures(second.rpcUrl, chainId)).toEqual(fixtures);
  expect(await readHistory(second)).toEqual(history);
  await second.stop();
});

test("saves changes while it runs, so that they survive a kill", async () => {
  const folder = join(parent, "running");
  const first = await start(folder, 50);
  const { owner, user } = createFixtureAccounts();
  const wallet = openChainWallet(first.rpcUrl, chainId, owner);
  for (const value of [1n, 2n]) {
    await wallet.sendTransactionSync({ to: user.address, value });
  }
  const readSaved = (): unknown =>
    JSON.parse(readFileSync(join(folder, "chain.json"), "utf8"));
  await expect.poll(readSaved).toMatchObject({ best_block_number: 2 });
  // Copy the state that remains after a kill.
  const copy = join(parent, "killed");
  cpSync(folder, copy, { recursive: true });
  const second = await start(copy, 60_000);
  expect(await readHistory(second)).toEqual(await readHistory(first));
  await Promise.all([first.stop(), second.stop()]);
});

test("reports why it did not start", async () => {
  const folder = join(parent, "taken");
  const first = await start(folder, 60_000);
  const port = Number(new URL(first.rpcUrl).port);
  const second = startEmbeddedChain({
    chainId,
    folder: join(parent, "second"),
    saveEveryMs: 60_000,
    port,
    onError: () => undefined,
  });
  await expect(second).rejects.toThrow(/anvil did not start: .*in use/iu);
  await first.stop();
});
