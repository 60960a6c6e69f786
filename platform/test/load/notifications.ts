import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

import { toNodeHandler } from "@ridlkit/runtime/node";
import { createTestClient, encodeFunctionData, erc20Abi, http } from "viem";

import { createIndexerClient } from "../../../generated/indexer/client.js";
import { createIndexerWebhookReceiver } from "../../../generated/indexer/server.js";
import { TokenEvent } from "../../../generated/indexer/types.js";
import { createFixtureAccounts } from "../../chain/accounts.js";
import { type ChainWallet, openChainWallet } from "../../chain/chain-wallet.js";
import { listen } from "../../http/listen.js";
import type { Ready } from "./spawned-platform.js";
import type { Target } from "./target.js";

/** Restarts the platform with the same data. */
export type Restart = () => Promise<Target>;

/** Receives notifications. */
interface Receiver {
  /** The arrival time of each notification, by its transaction. */
  readonly at: Map<string, number>;
  close(): void;
}

const singles = 100;
const blocks = 100;
const perBlock = 50;

/**
 * Measures the delay between a block and its notification, for one block at a
 * time. Then measures how fast the platform catches up with blocks that were
 * mined while it was stopped.
 *
 * Returns the platform that is running at the end.
 */
export async function measureNotifications(
  target: Target,
  restart: Restart,
): Promise<Target> {
  const { ready } = target;
  const receiver = await startReceiver(ready);
  const { user } = createFixtureAccounts();
  const wallet = openChainWallet(ready.chainUrl, ready.chainId, user);
  await measureDelays(ready, wallet, receiver);
  await target.stop();
  receiver.at.clear();
  await mineMany(ready, wallet);
  const start = performance.now();
  const again = await restart();
  const started = performance.now();
  const count = blocks * perBlock;
  while (receiver.at.size < count) await sleep(20);
  const seconds = (performance.now() - started) / 1000;
  receiver.close();
  console.log(
    `${count} logs in ${blocks} blocks that were mined while the platform was ` +
      `stopped: all delivered ${seconds.toFixed(1)} s after it was ready again ` +
      `(${((started - start) / 1000).toFixed(1)} s to start), ` +
      `${(count / seconds).toFixed(0)} logs indexed and delivered a second`,
  );
  return again;
}

async function measureDelays(
  ready: Ready,
  wallet: ChainWallet,
  { at }: Receiver,
): Promise<void> {
  const delays: number[] = [];
  for (let index = 0; index < singles; index += 1) {
    const { transactionHash } = await wallet.writeContractSync({
      ...{ address: ready.fixtures.gold, abi: erc20Abi },
      ...{ functionName: "transfer", args: [ready.fixtures.other, 1n] },
    });
    const mined = performance.now();
    while (!at.has(transactionHash)) await sleep(1);
    delays.push(Math.max(0, (at.get(transactionHash) ?? 0) - mined));
  }
  delays.sort((one, other) => one - other);
  const [median = 0, late = 0] = [0.5, 0.99].map(
    (part) => delays[Math.floor(part * (delays.length - 1))],
  );
  console.log(
    `from block to receipt, ${singles} notifications, one at a time: median ` +
      `${median.toFixed(0)} ms, p99 ${late.toFixed(0)} ms`,
  );
}

/** Mines blocks with many transfers each. */
async function mineMany(ready: Ready, wallet: ChainWallet): Promise<void> {
  const anvil = createTestClient({
    mode: "anvil",
    transport: http(ready.chainUrl),
  });
  const { address } = wallet.account;
  let nonce = await wallet.getTransactionCount({ address });
  const maxFeePerGas = 2n * (await wallet.getGasPrice());
  const transfer = {
    to: ready.fixtures.gold,
    data: encodeFunctionData({
      ...{ abi: erc20Abi, functionName: "transfer" },
      args: [ready.fixtures.other, 1n],
    }),
    ...{ gas: 100_000n, maxFeePerGas, maxPriorityFeePerGas: 1n },
  } as const;
  await anvil.setAutomine(false);
  for (let block = 0; block < blocks; block += 1) {
    await Promise.all(
      Array.from({ length: perBlock }, (_, index) =>
        wallet.sendTransaction({ ...transfer, nonce: nonce + index }),
      ),
    );
    nonce += perBlock;
    await anvil.mine({ blocks: 1 });
  }
  await anvil.setAutomine(true);
}

async function startReceiver(ready: Ready): Promise<Receiver> {
  const { accessKey, fixtures, secret, services, webhookSecret } = ready;
  const at = new Map<string, number>();
  const receive = createIndexerWebhookReceiver({
    secrets: [webhookSecret],
    handlers: {
      indexerWebhook: {
        notify: ({ txnHash }) => void at.set(txnHash, performance.now()),
      },
    },
  });
  const server = createServer(toNodeHandler(receive));
  const url = await listen(server, "127.0.0.1", 0);
  const indexer = createIndexerClient({
    baseUrl: services.indexer,
    credentials: { accessKey, secret },
  });
  await indexer.addWebhookListener({
    url,
    filters: {
      contractAddresses: [fixtures.gold],
      events: [TokenEvent.ERC20_TRANSFER],
    },
  });
  return { at, close: () => void server.close() };
}
