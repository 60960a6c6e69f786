import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Kysely } from "kysely";
import {
  type Address,
  createPublicClient,
  createTestClient,
  custom,
  http,
  publicActions,
} from "viem";
import { onTestFinished } from "vitest";

import { createFixtureAccounts } from "../../chain/accounts.js";
import { wrappedNative } from "../../chain/artifacts/wrapped-native.js";
import { deployOnce, openChainWallet } from "../../chain/chain-wallet.js";
import { startEmbeddedChain } from "../../chain/embedded.js";
import type { Tables } from "../../database/schema.js";
import type { BlockConsumer } from "../../follower/block.js";
import {
  type FollowerOptions,
  startFollower,
} from "../../follower/follower.js";
import { openChainClient } from "../../network/chain-client.js";
import { createNetworks, type Network } from "../../network/networks.js";
import { silent } from "../support/test-database.js";

const chainId = 31337;

/** Starts a chain whose blocks tests can add and remove. */
export async function startChain(port = 0, folder = createFolder()) {
  const chain = await startEmbeddedChain({
    ...{ chainId, folder, port, saveEveryMs: 60_000 },
    onError: (error) => {
      throw error;
    },
  });
  onTestFinished(() => chain.stop());
  const { owner } = createFixtureAccounts();
  const wallet = openChainWallet(chain.rpcUrl, chainId, owner);
  const contract = await deployOnce(wallet, wrappedNative.bytecode);
  const client = createTestClient({
    mode: "anvil",
    transport: http(chain.rpcUrl),
  }).extend(publicActions);
  return {
    ...chain,
    port: Number(new URL(chain.rpcUrl).port),
    contract,
    client,
    /** Mines several blocks with one log each. */
    mine: async (count: number): Promise<void> => {
      for (let i = 0; i < count; i += 1) {
        await wallet.writeContractSync({
          ...{ address: contract, abi: wrappedNative.abi },
          ...{ functionName: "deposit", value: BigInt(i + 1) },
        });
      }
    },
    /** Reads the current blocks that contain logs of the contract. */
    read: async (): Promise<readonly string[]> => {
      const logs = await client.getLogs({ address: contract, fromBlock: 0n });
      return [
        ...new Set(logs.map((log) => `${log.blockNumber} ${log.blockHash}`)),
      ];
    },
    /** Saves the chain. Output: a folder with its current state. */
    keepSaved: async (): Promise<string> => {
      await chain.save();
      const copy = createFolder();
      cpSync(folder, copy, { recursive: true });
      return copy;
    },
    network: networkOf(chain.rpcUrl),
  };
}

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "ridlkit-follower-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

function networkOf(rpcUrl: string): Network {
  const settings = {
    ...{ handle: "hardhat", chainId, nativeSymbol: "ETH" },
    ...{ rpcUrls: [rpcUrl], swap: null, marketplace: null },
    follow: { pollMs: 20, headsUrl: rpcUrl.replace("http", "ws") },
  };
  const [network] = createNetworks([settings], openChainClient).all;
  if (network === undefined) throw new Error("there is no network");
  return network;
}

/** Returns the network with a client whose responses `answer` can replace. */
export function replaceAnswers(
  network: Network,
  answer: (ask: () => Promise<unknown>, question: string) => Promise<unknown>,
): Network {
  const open: typeof openChainClient = (settings) => {
    const client = openChainClient(settings);
    const request = (question: unknown): Promise<unknown> =>
      answer(() => client.request(Object(question)), JSON.stringify(question));
    const transport = custom({ request }, { retryCount: 0 });
    return createPublicClient({ transport });
  };
  const [watched] = createNetworks([network], open).all;
  if (watched === undefined) throw new Error("there is no network");
  return watched;
}

/** Creates a record of the reported blocks that contain logs of a contract. */
export function createRecord(contract: Address) {
  const canonical: string[] = [];
  const history: string[] = [];
  const consumer: BlockConsumer = {
    onBlocks: (_, blocks) => {
      for (const { hash, logs, number, round } of blocks) {
        if (logs.every(({ address }) => address !== contract.toLowerCase())) {
          continue;
        }
        canonical.push(`${number} ${hash}`);
        history.push(`+${number}${round === 1 ? "" : ` again ${round}`}`);
      }
      return Promise.resolve();
    },
    onBlocksRemoved: (_, blocks) => {
      for (const { hash, number } of blocks) {
        const text = `${number} ${hash}`;
        if (canonical.at(-1) !== text) continue;
        canonical.pop();
        history.push(`-${number}`);
      }
      return Promise.resolve();
    },
  };
  return { canonical, history, consumer };
}

/** Follows the chain from the first block until the test ends. */
export function follow(
  database: Kysely<Tables>,
  name: string,
  network: Network,
  consumer: BlockConsumer,
  options: Partial<FollowerOptions> = {},
) {
  const follower = startFollower({
    ...{ database, log: silent, name, network, consumer, firstBlock: 0 },
    ...options,
  });
  onTestFinished(() => follower.stop());
  return follower;
}
