import { setTimeout as sleep } from "node:timers/promises";

import { type LocalAccount, parseEther, parseGwei } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";

import { isSample } from "../../../test/support/draw-some.js";
import { smartWallet } from "../../chain/artifacts/smart-wallet.js";
import type { WalletCall } from "../../relaying/wallet-call.js";
import { createRandom, pick } from "../crash/random.js";
import { createDataFolder, startProcess } from "../start/start-platform.js";
import { accounts, openRelaying } from "../support/open-relaying.js";
import { callOf, entryOf } from "../support/relaying.js";
import { type Answer, testSecret } from "../support/serve-platform.js";
import { reorganize } from "../support/start-chain.js";

const seed = Number(process.env["RIDLKIT_SEED"] ?? Date.now() % 1e9);
const wanted = Number(process.env["RIDLKIT_RELAYS"] ?? (isSample ? 30 : 60));
/** The number of wallets. A wallet has one relay at a time. */
const walletCount = 60;
const opened = await openRelaying();
const { anvil, answering, chain, createWallet, database, owner } = opened;
const { guestbook } = chain.fixtures;

/**
 * Starts an instance in a separate process. The process ends after the test.
 */
async function startInstance() {
  const folder = createDataFolder();
  const start = () =>
    startProcess(folder, {
      DATABASE_URL: opened.url,
      CHAIN_URL: chain.rpcUrl,
      PLATFORM_SECRET: testSecret,
    });
  let current = await start();
  return {
    /**
     * Calls the instance. If the instance is killed in the meantime, the
     * outcome is unknown.
     */
    call: async (
      path: string,
      headers: Readonly<Record<string, string>>,
      message: object,
    ): Promise<Answer> => {
      const response = await fetch(current.ready.baseUrl + path, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(message),
      }).catch(() => new Response("{}", { status: 599 }));
      const body = Object(await response.json().catch(() => ({})));
      return { status: response.status, headers: response.headers, body };
    },
    restart: async (): Promise<void> => {
      await current.end("SIGKILL");
      current = await start();
    },
  };
}

/**
 * Adds up what the project owes from a block on: the costs of the relaying
 * account's transactions that belong to a relay. Its other transactions fill
 * gaps between nonces and have no effect.
 */
async function readTotalCost(from: bigint): Promise<bigint> {
  const rows = await database
    .selectFrom("relay_transactions")
    .select("hash")
    .execute();
  const stored = new Set<string>(rows.map(({ hash }) => hash));
  const last = await anvil.getBlockNumber({ cacheTime: 0 });
  let total = 0n;
  for (let number = from; number <= last; number += 1n) {
    const { transactions } = await owner.getBlock({
      ...{ blockNumber: number, includeTransactions: true },
    });
    for (const { from: sender, hash, input } of transactions) {
      if (sender !== accounts.relayer.address.toLowerCase()) continue;
      const receipt = await owner.getTransactionReceipt({ hash });
      if (stored.has(hash))
        total += receipt.gasUsed * receipt.effectiveGasPrice;
      else expect(input).toBe("0x");
    }
  }
  return total;
}

test(
  `the tank pays exactly the costs on the chain, whatever fails (seed ${seed})`,
  { timeout: 120_000 + wanted * 3000 },
  async () => {
    const random = createRandom(seed);
    const { wallet, sponsor, fill, relay, readTank } =
      await opened.openSponsor();
    await fill(parseEther("1000"));
    const filled = await readTank();
    await sponsor(guestbook);
    const wallets = [wallet];
    while (wallets.length < walletCount) {
      const other = await createWallet();
      await sponsor(other);
      wallets.push(other);
    }
    const instance = await startInstance();
    const floor = await anvil.getBlockNumber({ cacheTime: 0 });
    await anvil.mine({ blocks: 20 });
    // A second instance. Some of its requests do not reach the chain, and some
    // responses are lost.
    const failing = answering(null, async (ask) => {
      const chance = random();
      if (chance < 0.03) throw new Error("lost before");
      const answer = await ask();
      if (chance > 0.97) throw new Error("lost after");
      return answer;
    });
    const stop = opened.startWorking(failing);
    const accepted = new Set<unknown>();
    let kills = 0;
    const send = async (
      call: WalletCall,
      signer?: LocalAccount,
    ): Promise<void> => {
      const { body, status } = await relay(call, {
        ...{ on: instance, ...(signer && { signer }) },
      });
      if (status === 200) accepted.add(Object(body["relay"]).id);
    };
    const pickDeadline = async (): Promise<bigint> => {
      const { timestamp } = await owner.getBlock();
      return random() < 0.2 ? timestamp + 2n : 4_000_000_000n;
    };
    const call = async (): Promise<void> => {
      const address = pick(random, wallets);
      const nonce = await owner.readContract({
        ...{ address, abi: smartWallet.abi, functionName: "nonce" },
      });
      const deadline = await pickDeadline();
      const data = random() < 0.5 ? "0x" : "0x01";
      await send(callOf(address, { nonce, deadline, data }));
    };
    const forward = async (): Promise<void> => {
      const signer = privateKeyToAccount(generatePrivateKey());
      const deadline = await pickDeadline();
      await send(entryOf(signer, guestbook, { deadline }), signer);
    };
    const acts = [
      ...Array.from({ length: 20 }, () => [call, forward]).flat(),
      async () => {
        // Keep the blocks in which the wallets were created.
        const most = Number(
          (await anvil.getBlockNumber({ cacheTime: 0 })) - floor,
        );
        const depth = 1 + Math.floor(10 * random());
        if (most > 0) await reorganize(anvil, Math.min(depth, most));
      },
      () => anvil.mine({ blocks: 1 + Math.floor(3 * random()) }),
      () => anvil.setAutomine(random() < 0.5),
      () =>
        anvil.setNextBlockBaseFeePerGas({
          baseFeePerGas: parseGwei(pick(random, ["0.1", "5", "100"])),
        }),
      async () => {
        // The instance is killed while it accepts, sends, or settles relays.
        const calls = [call(), forward(), forward()];
        await sleep(100 * random());
        await instance.restart();
        await Promise.all(calls);
        kills += 1;
      },
    ];
    while (accepted.size < wanted || kills === 0) await pick(random, acts)();
    await stop();
    await anvil.setAutomine(true);
    const readState = async () => {
      // Mine the pending transactions.
      await anvil.mine({ blocks: 1 });
      const pending = await database
        .selectFrom("relays")
        .select("id")
        .where("state", "=", "pending")
        .execute();
      if (pending.length > 0) return { pending: pending.length };
      const [left, owed] = [await readTank(), await readTotalCost(floor)];
      return { pending: 0, isPaid: filled - left === owed };
    };
    await expect
      .poll(readState, { timeout: 120_000, interval: 500 })
      .toEqual({ pending: 0, isPaid: true });
    const counts = await database
      .selectFrom("relays")
      .select((row) => ["state", row.fn.countAll<number>().as("count")])
      .groupBy("state")
      .execute();
    const paid = filled - (await readTank());
    console.log(
      `seed ${seed}: ${JSON.stringify(counts)} after ${kills} kills, paid ${paid} wei`,
    );
    expect(paid).toBeGreaterThan(0n);
  },
);
