import { readFileSync } from "node:fs";

import { erc20Abi, type Hex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { expect, onTestFinished } from "vitest";

import { createFixtureAccounts } from "../../chain/accounts.js";
import { openChainWallet } from "../../chain/chain-wallet.js";
import { entryOf, signCall } from "../support/relaying.js";
import { headersOf } from "../support/serve-platform.js";
import type { Cluster } from "./cluster.js";
import { emitCostly, emitLarge, emitStrange } from "./hostile-projects.js";

/** What a project notices, in milliseconds. */
export type Delays = Record<"blocks" | "calls" | "relays" | "webhooks", number>;

/** The number of calls in each round. */
const callsOfRound = 25;

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const since = performance.now();
  await work();
  return performance.now() - since;
};

const waitFor = (isDone: () => Promise<boolean> | boolean) =>
  expect.poll(isDone, { interval: 20, timeout: 300_000 }).toBe(true);

/** Makes calls and relays of the cluster's own project. All of them must succeed. */
function createCalls({ fetch: ask, ready }: Cluster) {
  const { baseUrl, chainId, fixtures, projectId } = ready();
  const post = async (method: string, message: object) => {
    const response = await ask(`${baseUrl}/rpc/${method}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headersOf(ready()) },
      body: JSON.stringify(message),
    });
    const body = Object(await response.json());
    expect([response.status, body.cause]).toEqual([200, undefined]);
    return body;
  };
  return {
    call: () => post("Builder/ListAudiences", { projectId }),
    relay: async (): Promise<void> => {
      const guest = privateKeyToAccount(generatePrivateKey());
      const entry = entryOf(guest, fixtures.guestbook);
      const signed = await signCall(chainId, entry, guest);
      const { relay } = await post("Relaying/Relay", signed);
      await waitFor(async () => {
        const { relay: now } = await post("Relaying/GetRelay", {
          id: relay.id,
        });
        return now.status === "done";
      });
    },
  };
}

/**
 * Creates functions that measure what the cluster's own project notices.
 *
 * Input: what its receivers have been told, and the number of rounds.
 */
export function createMeasure(
  cluster: Cluster,
  told: { readonly quiet: number; readonly costly: number },
  rounds: number,
) {
  const { chainId, chainUrl, fixtures } = cluster.ready();
  const { database } = cluster.store;
  const { user } = createFixtureAccounts();
  const wallet = openChainWallet(chainUrl, chainId, user);
  const { call, relay } = createCalls(cluster);
  const webhook = async (): Promise<number> => {
    const before = told.quiet;
    await wallet.writeContractSync({
      ...{ address: fixtures.gold, abi: erc20Abi, functionName: "transfer" },
      args: [fixtures.other, 1n],
    });
    return timed(() => waitFor(() => told.quiet > before));
  };
  const isStored = async (hash: Hex): Promise<boolean> => {
    const stored = await database
      .selectFrom("followed_blocks")
      .select("hash")
      .where("follower", "=", "indexer")
      .where("hash", "=", hash)
      .execute();
    return stored.length > 0;
  };
  const blockOf = async (data: Hex): Promise<number> => {
    const { blockHash } = await wallet.sendTransactionSync({
      ...{ data, gas: 20_000_000n },
    });
    return timed(() => waitFor(() => isStored(blockHash)));
  };
  /** An instance reads its listeners before the first block. */
  const block = async (): Promise<number> => {
    const before = told.costly;
    const ms = await blockOf(emitCostly);
    await waitFor(() => told.costly > before);
    return ms;
  };
  const at = (times: readonly number[], part: number): number =>
    times.toSorted((one, other) => one - other)[
      Math.ceil(times.length * part) - 1
    ] ?? 0;
  return {
    /** Emits the logs that are needed only once. */
    attack: async (): Promise<void> => {
      await blockOf(emitLarge);
      await blockOf(emitStrange);
    },
    warmUp: async (): Promise<void> => {
      await block();
      await webhook();
      await relay();
    },
    run: async (): Promise<Delays> => {
      const found: Record<keyof Delays, number[]> = {
        ...{ calls: [], webhooks: [], relays: [], blocks: [] },
      };
      for (let round = 0; round < rounds; round += 1) {
        found.blocks.push(await block());
        found.webhooks.push(await webhook());
        found.relays.push(await timed(relay));
        for (let nth = 0; nth < callsOfRound; nth += 1) {
          found.calls.push(await timed(call));
        }
      }
      return {
        calls: at(found.calls, 0.99),
        webhooks: at(found.webhooks, 0.5),
        relays: at(found.relays, 0.5),
        blocks: at(found.blocks, 1),
      };
    },
  };
}

/** Measures how long `/healthz` takes at most, until it is stopped. */
export function watchHealth({ ready }: Cluster) {
  let isOver = false;
  let longest = 0;
  onTestFinished(() => void (isOver = true));
  const watched = (async () => {
    while (!isOver) {
      const since = performance.now();
      // The balancer cuts connections if a busy machine stalls an instance.
      await fetch(`${ready().baseUrl}/healthz`)
        .then((response) => response.arrayBuffer())
        .catch(() => null);
      longest = Math.max(longest, performance.now() - since);
    }
  })();
  return async (): Promise<number> => {
    isOver = true;
    await watched;
    return longest;
  };
}

/**
 * Returns a function that finds the longest step of the event loop of each instance
 * from now on, in milliseconds of CPU time, because a delay also counts the work of
 * other programs.
 */
export function watchSteps({ stepFiles }: Cluster) {
  const since = Date.now();
  const longestIn = (file: string): number => {
    const steps = readFileSync(file, "utf8")
      .split("\n")
      .map((line) => line.split(" ").map(Number))
      .filter(([at = 0]) => at > since);
    return Math.max(0, ...steps.map(([, ms = 0]) => ms));
  };
  return (): readonly number[] => stepFiles().map(longestIn);
}
