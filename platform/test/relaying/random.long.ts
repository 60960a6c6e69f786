import { parseEther, parseGwei } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { expect, test } from "vitest";

import { smartWallet } from "../../chain/artifacts/smart-wallet.js";
import { createRandom, pick } from "../crash/random.js";
import { openRelaying } from "../support/open-relaying.js";
import { callOf, entryOf } from "../support/relaying.js";
import type { Answer } from "../support/serve-platform.js";
import { reorganize } from "../support/start-chain.js";

const seed = Number(process.env["RIDLKIT_SEED"] ?? Date.now() % 1e9);
/**
 * The number of relays. Anvil loses its state above 250 relays, so repeat the
 * test instead.
 */
const wanted = Number(process.env["RIDLKIT_RELAYS"] ?? 100);
/** A wallet has one relay at a time. */
const walletCount = 60;
const opened = await openRelaying();
const { anvil, answering, createWallet, database, owner, startWorking } =
  opened;
const { guestbook } = opened.chain.fixtures;

/** The total of the receipts of all transactions of a project's relays. */
async function readTotalCost(projectId: number): Promise<bigint> {
  const rows = await database
    .selectFrom("relay_transactions")
    .innerJoin("relays", "relays.id", "relay_id")
    .select("hash")
    .where("project_id", "=", projectId)
    .execute();
  const costs = rows.map(async ({ hash }) => {
    const receipt = await owner
      .getTransactionReceipt({ hash })
      .catch(() => null);
    return receipt ? receipt.gasUsed * receipt.effectiveGasPrice : 0n;
  });
  return (await Promise.all(costs)).reduce((sum, cost) => sum + cost, 0n);
}

test(
  `the tank pays exactly the costs on the chain, whatever fails (seed ${seed})`,
  { timeout: 60_000 + wanted * 3000 },
  async () => {
    const random = createRandom(seed);
    const { wallet, project, sponsor, fill, relay, readTank } =
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
    const floor = await anvil.getBlockNumber({ cacheTime: 0 });
    await anvil.mine({ blocks: 20 });
    // Simulates a kill before the request reaches the chain or before its
    // response arrives.
    const failing = answering(null, async (ask) => {
      const chance = random();
      if (chance < 0.03) throw new Error("lost before");
      const answer = await ask();
      if (chance > 0.97) throw new Error("lost after");
      return answer;
    });
    let stop = startWorking(failing);
    const accepted = new Set<unknown>();
    const accept = ({ body, status }: Answer): void => {
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
      const message = callOf(address, { nonce, deadline, data });
      accept(await relay(message));
    };
    const forward = async (): Promise<void> => {
      const signer = privateKeyToAccount(generatePrivateKey());
      const deadline = await pickDeadline();
      accept(await relay(entryOf(signer, guestbook, { deadline }), { signer }));
    };
    const acts = [
      ...Array.from({ length: 10 }, () => [call, forward]).flat(),
      async () => {
        // The wallets must remain.
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
        await stop();
        stop = startWorking(failing);
      },
    ];
    while (accepted.size < wanted) await pick(random, acts)();
    await stop();
    await anvil.setAutomine(true);
    startWorking();
    const readState = async () => {
      // Pending transactions are mined.
      await anvil.mine({ blocks: 1 });
      const pending = await database
        .selectFrom("relays")
        .select("id")
        .where("state", "=", "pending")
        .execute();
      const [paid, owed] = [await readTank(), await readTotalCost(project.id)];
      return {
        pending: pending.length,
        isPaid: filled - paid === owed,
      };
    };
    await expect
      .poll(readState, { timeout: 120_000, interval: 500 })
      .toEqual({ pending: 0, isPaid: true });
    const counts = await database
      .selectFrom("relays")
      .select((row) => ["state", row.fn.countAll<number>().as("count")])
      .groupBy("state")
      .execute();
    console.log(`seed ${seed}: ${JSON.stringify(counts)}`);
    expect(await readTotalCost(project.id)).toBeGreaterThan(0n);
  },
);
