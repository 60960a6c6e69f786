import { sql } from "kysely";
import { numberToHex, parseEther } from "viem";
import { expect, test, vi } from "vitest";

import { settleRelay } from "../../relaying/settle-relay.js";
import { testReorganization } from "./reorganize.js";
import { hashOf, openRelaying, relayOf } from "../support/open-relaying.js";
import { callOf } from "../support/relaying.js";
import { defaultSettings } from "../support/serve-platform.js";
import { silent } from "../support/test-database.js";

const opened = await openRelaying();
const { anvil, database, owner, startWorking, openSponsor } = opened;

test.each([1, 10])(
  "a reorganization undoes relays, which are then sent again (blocks: %i)",
  (depth) => testReorganization(opened, depth),
);

const aboutTransactions = [
  "eth_getTransactionCount",
  "eth_getTransactionReceipt",
];
const all = [...aboutTransactions, "eth_getBlockByNumber"];

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Settles a relay, and checks it once more through a node that lags behind when
 * it answers some methods.
 */
async function settleBehind(lagging: readonly string[], ageMs: number) {
  const { wallet, relay, readTank, getRelay, settled } = await openSponsor();
  const stop = startWorking();
  const done = await settled(await relayOf(relay(callOf(wallet))));
  await stop();
  const paid = await readTank();
  const { blockNumber, nonce } = await anvil.getTransaction({
    hash: hashOf(done),
  });
  const old: Record<string, (parameter: unknown) => unknown> = {
    eth_getTransactionReceipt: () => null,
    eth_getTransactionCount: () => numberToHex(nonce),
    eth_getBlockByNumber: (number) =>
      number !== "latest"
        ? null
        : owner.request({
            method: "eth_getBlockByNumber",
            params: [numberToHex(blockNumber - 1n), false],
          }),
  };
  const networks = opened.answering(null, (ask, parameter, method) =>
    lagging.includes(method) ? old[method]?.(parameter) : ask(),
  );
  const aged = (column: string, ms: number) =>
    sql`${sql.ref(column)} - ${ms} * interval '1 millisecond'`;
  await sql`
    update relays set settled_at = ${aged("settled_at", ageMs)}
    where id = ${done.id}`.execute(database);
  // Transactions can wait long until a block includes them.
  await sql`
    update relay_transactions set created_at = ${aged("created_at", dayMs / 2)}
    where relay_id = ${done.id}`.execute(database);
  // The instance's clock is wrong.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + dayMs });
  const parts = { database, log: silent, settings: defaultSettings };
  const [reason] = await Promise.all(
    networks.all.map((network) => settleRelay(parts, network, done.id)),
  ).finally(() => vi.useRealTimers());
  return {
    ...{ done, paid, readTank, settled },
    ...{ reason, now: await getRelay(done.id), left: await readTank() },
  };
}

test("checks a relay for a day by the database's clock", async () => {
  const { now, reason } = await settleBehind([], 0);
  expect(now.status).toBe("done");
  expect(reason).toBe("a reorganization can still undo it");
});

test.each([
  ["all requests, soon after the relay", all, 0],
  ["requests for transactions", aboutTransactions, 60_000],
])(
  "a node that lags behind does not undo relays (%s)",
  async (_, lagging, ageMs) => {
    const found = await settleBehind(lagging, ageMs);
    expect(found.reason).toBe("a receipt is missing");
    expect(found.now).toEqual(found.done);
    expect(found.left).toBe(found.paid);
  },
);

test("a chain that stays shorter undoes relays", async () => {
  const found = await settleBehind(all, 60_000);
  expect(found.now.status).toBe("pending");
  expect(found.left).toBe(parseEther("1"));
  startWorking();
  expect(await found.settled(found.done)).toEqual(found.done);
  expect(await found.readTank()).toBe(found.paid);
});

test("stops checking a relay that no reorganization can undo", async () => {
  const { wallet, relay, settled } = await openSponsor();
  startWorking();
  const { id } = await settled(await relayOf(relay(callOf(wallet))));
  const countJobs = async (): Promise<number> => {
    const { count } = await database
      .selectFrom("jobs")
      .select((row) => row.fn.countAll<number>().as("count"))
      .where("key", "=", String(id))
      .executeTakeFirstOrThrow();
    return count;
  };
  expect(await countJobs()).toBe(1);
  await anvil.mine({ blocks: 512 });
  // On networks with several blocks per second, 512 blocks are soon over.
  const parts = { database, log: silent, settings: defaultSettings };
  const { networks } = opened.platform.platform;
  for (const network of networks.all) {
    expect(await settleRelay(parts, network, id)).toBe(
      "a reorganization can still undo it",
    );
  }
  expect(await countJobs()).toBe(1);
  await sql`
    update relays set settled_at = settled_at - interval '15 minutes'
    where id = ${id}`.execute(database);
  await expect.poll(countJobs).toBe(0);
});

test("fills a nonce that the chain has lost permanently, so later relays continue", async () => {
  const { wallet, sponsor, relay, readTank, settled } = await openSponsor();
  const other = await opened.createWallet();
  await sponsor(other);
  const id = await anvil.snapshot();
  const stop = startWorking();
  const lost = await settled(await relayOf(relay(callOf(other))));
  await stop();
  await database
    .updateTable("relays")
    .set({ is_final: true })
    .where("id", "=", lost.id)
    .execute();
  await anvil.revert({ id });
  startWorking();
  const done = await settled(await relayOf(relay(callOf(wallet))));
  expect(done.status).toBe("done");
  const costs = BigInt(lost.cost ?? 0) + BigInt(done.cost ?? 0);
  expect(await readTank()).toBe(parseEther("1") - costs);
});
