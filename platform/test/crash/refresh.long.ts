import { setTimeout as sleep } from "node:timers/promises";

import { expect, onTestFinished, test } from "vitest";

import { isSample } from "../../../test/support/draw-some.js";
import { createFixtureAccounts } from "../../chain/accounts.js";
import { fixtureItems } from "../../chain/artifacts/fixture-items.js";
import { openChainWallet } from "../../chain/chain-wallet.js";
import { openSiteForTest } from "../support/local-site.js";
import {
  type CrashingPlatform,
  startCrashing,
  victims,
} from "./crashing-platform.js";
import { createRandom } from "./random.js";

const rounds = isSample ? 2 : 6;
const seed = Number(process.env["RIDLKIT_SEED"] ?? Date.now() % 1e9);
const tokenIDs = Array.from({ length: 50 }, (_, index) => String(index));

test(`completes a refresh in each of ${rounds} rounds, even though a part is killed each time (seed ${seed})`, async () => {
  const random = createRandom(seed);
  const state = { version: 0, reads: 0 };
  const site = await openSiteForTest((_, response) => {
    state.reads += 1;
    const text = JSON.stringify({ name: `version ${state.version}` });
    setTimeout(() => response.end(text), 200 * random());
  });
  const platform = await startCrashing();
  onTestFinished(() => platform.stop());
  await describeItems(platform, `${site.url}/{id}`);
  await readNames(platform);
  for (let round = 0; round < rounds; round += 1) {
    Object.assign(state, { version: round + 1, reads: 0 });
    const taskId = await enqueueRefresh(platform);
    const enough = 1 + Math.floor(45 * random());
    while (state.reads < enough) await sleep(1);
    await platform.kill(victims[round % victims.length] ?? "platform");
    await platform.recover();
    await expect
      .poll(() => readStatus(platform, taskId), { timeout: 60_000 })
      .toBe("COMPLETED");
    const names = new Set(await readNames(platform));
    expect([...names]).toEqual([`version ${state.version}`]);
  }
});

/** Makes one site describe all items, and waits until the chain is saved. */
async function describeItems(
  platform: CrashingPlatform,
  uri: string,
): Promise<void> {
  const { chainId, chainUrl, fixtures } = platform.ready();
  const { owner } = createFixtureAccounts();
  const wallet = openChainWallet(chainUrl, chainId, owner);
  await wallet.writeContractSync({
    address: fixtures.items,
    abi: fixtureItems.abi,
    functionName: "setURI",
    args: [uri],
  });
  // The chain is saved every second, so a kill loses newer changes.
  await sleep(2500);
}

function placeOf(platform: CrashingPlatform) {
  const { fixtures, network } = platform.ready();
  return { chainID: network, contractAddress: fixtures.items, tokenIDs };
}

async function readNames(
  platform: CrashingPlatform,
): Promise<readonly string[]> {
  const { metadata } = platform.client();
  const answer = await metadata.getTokenMetadata(placeOf(platform));
  return answer.tokenMetadata.map(({ name }) => name);
}

async function enqueueRefresh(platform: CrashingPlatform): Promise<number> {
  const { metadata } = platform.client();
  const answer = await metadata.enqueueTokensForRefresh(placeOf(platform));
  return answer.taskId;
}

/**
 * Reads the status of a task. Output: the status, or the error's name while a
 * part is down.
 */
async function readStatus(
  platform: CrashingPlatform,
  taskId: number,
): Promise<string> {
  const { metadata } = platform.client();
  const answer = await metadata.getTokenRefreshStatus.result({ taskId });
  return answer.ok ? answer.value.status : answer.error.name;
}
