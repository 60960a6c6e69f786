import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { TestClient } from "viem";
import { afterAll, inject } from "vitest";

import {
  type EmbeddedChain,
  startEmbeddedChain,
} from "../../chain/embedded.js";
import {
  deployFixtures,
  type Fixtures,
  marketplaceOf,
  swapOf,
} from "../../chain/fixtures.js";
import type { NetworkSettings } from "../../settings/read-network.js";

/** A chain with fixtures that exists for the duration of some tests. */
export interface TestChain extends EmbeddedChain {
  readonly fixtures: Fixtures;
  readonly network: NetworkSettings;
}

/** Chain ID of the test chain. */
export const testChainId = 31337;

/** Networks that do not respond. */
export const silentNetworks: readonly NetworkSettings[] = [
  {
    handle: "unreachable",
    chainId: 4041,
    nativeSymbol: "ETH",
    // No server listens on the discard port.
    rpcUrls: ["http://127.0.0.1:9"],
    swap: null,
    marketplace: null,
  },
  {
    handle: "unknown-address",
    chainId: 4042,
    nativeSymbol: "ETH",
    rpcUrls: [],
    swap: null,
    marketplace: null,
  },
];

/** Opens a chain with the fixtures, for the tests in one file. */
export async function openTestChain(): Promise<TestChain> {
  const chain = await startTestChain();
  afterAll(() => chain.stop());
  return chain;
}

/**
 * Starts a chain in a separate folder, from the state of one with the fixtures,
 * so that chains do not differ by the order of tests. Its older blocks have no
 * state.
 */
export async function startTestChain(): Promise<TestChain> {
  const deployed = join(inject("chainFolder"), "deployed");
  if (!existsSync(deployed)) await deployTo(deployed);
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-chain-"));
  cpSync(deployed, folder, { recursive: true });
  const chain = await startIn(folder);
  const fixtures: Fixtures = JSON.parse(
    readFileSync(join(folder, fixturesFile), "utf8"),
  );
  const network: NetworkSettings = {
    handle: "hardhat",
    chainId: testChainId,
    nativeSymbol: "ETH",
    rpcUrls: [chain.rpcUrl],
    swap: swapOf(fixtures),
    marketplace: marketplaceOf(fixtures),
  };
  return {
    ...chain,
    fixtures,
    network,
    stop: async () => {
      await chain.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const fixturesFile = "fixtures.json";

const startIn = (folder: string): Promise<EmbeddedChain> =>
  startEmbeddedChain({
    ...{ chainId: testChainId, folder, saveEveryMs: 60_000 },
    onError: (error) => {
      throw error;
    },
  });

/** Stores the state of a chain with the fixtures, unless a process did so first. */
async function deployTo(target: string): Promise<void> {
  const folder = mkdtempSync(`${target}-`);
  const chain = await startIn(folder);
  const fixtures = await deployFixtures(chain.rpcUrl, testChainId);
  writeFileSync(join(folder, fixturesFile), JSON.stringify(fixtures));
  await chain.stop();
  try {
    renameSync(folder, target);
  } catch (error) {
    // It replaces nothing but an empty folder.
    if (!existsSync(target)) throw error;
    rmSync(folder, { recursive: true });
  }
}

/** Replaces the last blocks of a chain with empty ones. */
export async function reorganize(
  anvil: Pick<TestClient, "request">,
  depth: number,
): Promise<void> {
  await anvil.request<{
    Method: "anvil_reorg";
    Parameters: [depth: number, transactions: []];
    ReturnType: null;
  }>({ method: "anvil_reorg", params: [depth, []] });
}
