import { createTestClient, http, parseAbi } from "viem";
import { expect, onTestFinished, test } from "vitest";

import { createFixtureAccounts } from "../../chain/accounts.js";
import { openChainWallet } from "../../chain/chain-wallet.js";
import { startReceiver } from "../crash/deliveries.js";
import { startCluster } from "../instances/cluster.js";
import { reorganize } from "../support/start-chain.js";
import { startLoaded } from "./load.js";
import { unpackVersionBefore } from "./version-before.js";

test("replaces the version before under load", async () => {
  const cluster = await startLoaded(unpackVersionBefore());
  await cluster.replace(0);
  // Now both versions use the database.
  for (let round = 0; round < 4; round += 1) await cluster.goOn();
  await cluster.replace(1);
  await cluster.goOn();
  await cluster.check();
});

test.each([
  ["this version retracts what the version before has stored", 1],
  ["the version before retracts what this version has stored", 0],
])("%s", async (_, storing) => {
  const cluster = await startCluster(2, unpackVersionBefore());
  await cluster.replace(0);
  const { chainId, chainUrl, fixtures } = cluster.ready();
  const receiver = await startReceiver(cluster);
  onTestFinished(() => receiver.stop());
  const { owner, other } = createFixtureAccounts();
  const wallet = openChainWallet(chainUrl, chainId, owner);
  const chain = createTestClient({ mode: "anvil", transport: http(chainUrl) });
  // A webhook can arrive twice.
  const toldOnce = () => [
    ...new Map(receiver.received.map((each) => [each.uid, each])).values(),
  ];
  const told = () => toldOnce().map(({ type }) => type);
  const often = { timeout: 60_000, interval: 100 };
  const retracting = 1 - storing;
  await cluster.whileFrozen(retracting, async () => {
    await wallet.writeContractSync({
      ...{ address: fixtures.gold, functionName: "transfer" },
      abi: parseAbi(["function transfer(address to, uint256 amount)"]),
      args: [other.address, 1n],
    });
    await expect.poll(told, often).toEqual(["BLOCK_ADDED"]);
  });
  await cluster.whileFrozen(storing, async () => {
    await reorganize(chain, 1);
    await expect.poll(told, often).toEqual(["BLOCK_ADDED", "BLOCK_REMOVED"]);
  });
  const [added, removed] = toldOnce();
  const { uid, type, ...event } = added ?? {};
  expect(removed).toMatchObject(event);
  expect(removed?.uid).not.toBe(uid);
  expect(type).toBe("BLOCK_ADDED");
});
