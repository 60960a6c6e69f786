import { sql } from "kysely";
import { expect, test, vi } from "vitest";

import {
  addBlocks,
  startAt,
  giveUpLease,
  LeaseLostError,
  removeBlocks,
  recordCurrent,
  takeLease,
} from "../../follower/progress.js";
import { readTips, type Tip } from "../../follower/read-tips.js";
import { openTestDatabase } from "../support/test-database.js";
import {
  createRecord,
  follow,
  startChain,
  replaceAnswers,
} from "./follow-chain.js";

const database = await openTestDatabase();

async function setUp() {
  const chain = await startChain();
  const name = crypto.randomUUID();
  return { chain, name, record: createRecord(chain.contract) };
}

const often = { interval: 20 };

test("catches up from the first block and continues", async () => {
  const { chain, name, record } = await setUp();
  await chain.mine(100);
  follow(database, name, chain.network, record.consumer);
  const expected = await chain.read();
  await expect.poll(() => record.canonical, often).toEqual(expected);
  await chain.mine(2);
  await expect.poll(() => record.canonical.length, often).toBe(102);
  expect(record.canonical).toEqual(await chain.read());
});

test("starts after the latest block if no first block is configured", async () => {
  const { chain, name, record } = await setUp();
  await chain.mine(3);
  follow(database, name, chain.network, record.consumer, { firstBlock: null });
  await expect
    .poll(
      () =>
        database
          .selectFrom("followed_chains")
          .selectAll()
          .where("follower", "=", name)
          .where("holder", "is not", null)
          .execute(),
      often,
    )
    .toHaveLength(1);
  await chain.mine(2);
  await expect.poll(() => record.history, often).toEqual(["+5", "+6"]);
});

test("reports only the logs of the requested contracts", async () => {
  const { chain, name } = await setUp();
  const onBlocks = vi.fn(() => Promise.resolve());
  const consumer = { onBlocks, onBlocksRemoved: onBlocks };
  follow(database, name, chain.network, consumer, {
    addresses: [`0x${"1".repeat(40)}`],
  });
  await chain.mine(2);
  const numbersAndLogs = () =>
    onBlocks.mock.calls.flatMap((call: readonly unknown[]) =>
      Object(call[1]).map(({ number, logs }: Record<string, unknown>) => [
        number,
        logs,
      ]),
    );
  await expect
    .poll(numbersAndLogs, often)
    .toEqual([0, 1, 2, 3].map((number) => [number, []]));
});

test("follows a reorganization of several blocks", async () => {
  const { chain, name, record } = await setUp();
  await chain.mine(2);
  follow(database, name, chain.network, record.consumer);
  const snapshot = await chain.client.snapshot();
  await chain.mine(4);
  await expect.poll(() => record.canonical.length, often).toBe(6);
  await chain.client.revert({ id: snapshot });
  await chain.client.setNextBlockTimestamp({ timestamp: 4_000_000_000n });
  await chain.mine(5);
  const expected = await chain.read();
  await expect.poll(() => record.canonical, often).toEqual(expected);
  expect(record.history).toEqual([
    ...["+2", "+3", "+4", "+5", "+6", "+7"],
    ...["-7", "-6", "-5", "-4"],
    ...["+4", "+5", "+6", "+7", "+8"],
  ]);
});

test("keeps blocks that a node does not have yet", async () => {
  const { chain, name, record } = await setUp();
  await chain.mine(2);
  let isBehind = false;
  const network = replaceAnswers(chain.network, (ask, question) => {
    if (!isBehind || !question.includes('"0x3"')) return ask();
    isBehind = false;
    return Promise.resolve(null);
  });
  follow(database, name, network, record.consumer);
  const snapshot = await chain.client.snapshot();
  await chain.mine(1);
  await expect.poll(() => record.canonical.length, often).toBe(3);
  isBehind = true;
  await chain.client.revert({ id: snapshot });
  await chain.client.setNextBlockTimestamp({ timestamp: 4_000_000_000n });
  await chain.mine(2);
  const expected = await chain.read();
  await expect.poll(() => record.canonical, often).toEqual(expected);
  expect(isBehind).toBe(false);
  expect(record.history.slice(3)).toEqual(["-4", "+4", "+5"]);
});

test("follows a chain that lacks known blocks after a restart", async () => {
  const { chain, name, record } = await setUp();
  await chain.mine(3);
  const saved = await chain.keepSaved();
  await chain.mine(2);
  follow(database, name, chain.network, record.consumer);
  await expect.poll(() => record.canonical.length, often).toBe(5);
  // Restart from the saved state, which lacks the last two blocks, as if the
  // chain had been killed.
  const before = await chain.client.getBlockNumber();
  await chain.stop();
  const again = await startChain(chain.port, saved);
  expect(await again.client.getBlockNumber()).toBe(before - 2n);
  await again.client.setNextBlockTimestamp({ timestamp: 4_000_000_000n });
  await again.mine(1);
  const expected = await again.read();
  await expect.poll(() => record.canonical, often).toEqual(expected);
  expect(record.history.slice(5)).toEqual(["-6", "-5", "+5"]);
});

test("eventually drops known blocks if the chain stays shorter", async () => {
  const { chain, name, record } = await setUp();
  const snapshot = await chain.client.snapshot();
  await chain.mine(2);
  follow(database, name, chain.network, record.consumer, { patienceMs: 300 });
  await expect.poll(() => record.canonical.length, often).toBe(2);
  await chain.client.revert({ id: snapshot });
  expect(record.canonical).toHaveLength(2);
  await expect.poll(() => record.canonical, often).toEqual([]);
});

test("distinguishes a block that reappears from its first occurrence", async () => {
  const place = {
    ...{ database, follower: crypto.randomUUID(), chainId: 1 },
    ...{ holder: crypto.randomUUID(), leaseMs: 1000 },
  };
  const contract = `0x${"1".repeat(40)}` as const;
  const { consumer, history } = createRecord(contract);
  const hash = `0x${"2".repeat(64)}` as const;
  const log = {
    address: contract,
    topics: [],
    data: "0x",
    transactionHash: hash,
    transactionIndex: 0,
    logIndex: 0,
  } as const;
  const block = {
    ...{ number: 7, hash, parentHash: hash, minedAt: new Date(0) },
    ...{ logs: [log], isComplete: true },
  };
  await startAt(place, 7);
  expect(await takeLease(place)).toEqual({ nextNumber: 7, tip: null });
  await addBlocks(place, consumer, [block]);
  expect(await removeBlocks(place, consumer, 7)).toEqual({
    position: { nextNumber: 7, tip: null },
    count: 1,
  });
  await addBlocks(place, consumer, [block]);
  expect(history).toEqual(["+7", "-7", "+7 again 2"]);
  // An instance that has lost its lease to another instance cannot continue.
  const other = { ...place, holder: crypto.randomUUID() };
  await giveUpLease(place);
  expect(await takeLease(other)).toMatchObject({ tip: { number: 7, hash } });
  expect(await takeLease(place)).toBeNull();
  const late = addBlocks(place, consumer, [{ ...block, number: 8 }]);
  await expect(late).rejects.toThrow(LeaseLostError);
});

test("reports the last block while the follower is at the head of the chain", async () => {
  const { chain, name, record } = await setUp();
  const { consumer } = record;
  const readTip = async () => {
    const tips = await readTips(database);
    return tips.find(({ follower }) => follower === name) ?? null;
  };
  const readLast = async (): Promise<Tip> => {
    const { number, hash, parentHash, minedAt } = await chain.network.head();
    return {
      ...{ number, hash, parentHash, minedAt },
      ...{ follower: name, chainId: 31337 },
    };
  };
  const follower = follow(database, name, chain.network, consumer);
  await expect.poll(readTip, often).toEqual(await readLast());
  await chain.mine(1);
  await expect.poll(readTip, often).toEqual(await readLast());
  await follower.stop();
  await expect.poll(readTip, often).toBeNull();
  const place = {
    ...{ database, follower: name, chainId: 31337 },
    ...{ holder: crypto.randomUUID(), leaseMs: 10_000 },
  };
  const position = await takeLease(place);
  await recordCurrent(place, performance.now());
  expect(await readTip()).toEqual(await readLast());
  await recordCurrent(place, performance.now() - 3000);
  expect(await readTip()).toBeNull();
  const last = await chain.network.head();
  const add = (currentAt: number | null) =>
    addBlocks(
      place,
      consumer,
      [
        {
          ...{ ...last, parentHash: last.hash, hash: `0x${"5".repeat(64)}` },
          ...{ number: position?.nextNumber ?? 0, logs: [] },
          isComplete: true,
        },
      ],
      { number: last.number + 1, currentAt },
    );
  await add(null);
  expect(await readTip()).toBeNull();
  await removeBlocks(place, consumer, last.number + 1);
  await add(performance.now());
  expect(await readTip()).toMatchObject({ number: last.number + 1 });
  await removeBlocks(place, consumer, last.number + 1);
  expect(await readTip()).toBeNull();
});

test("reports each block only once if two followers have the same name, even if one stops", async () => {
  const { chain, name, record } = await setUp();
  const { consumer } = record;
  const first = follow(database, name, chain.network, consumer);
  follow(database, name, chain.network, consumer);
  await chain.mine(5);
  await expect.poll(() => record.canonical.length, often).toBe(5);
  await first.stop();
  await chain.mine(5);
  await expect.poll(() => record.canonical.length, often).toBe(10);
  expect(record.canonical).toEqual(await chain.read());
  expect(record.history).toHaveLength(10);
});

/**
 * Waits until the lease of a follower has been renewed several times. Returns
 * the instances that had it.
 */
async function waitForRenewals(name: string): Promise<ReadonlySet<unknown>> {
  const ends = new Set<number>();
  const holders = new Set<unknown>();
  const countRenewals = async (): Promise<number> => {
    const rows = await database
      .selectFrom("followed_chains")
      .select(["holder", "held_until"])
      .where("follower", "=", name)
      .execute();
    for (const row of rows) {
      ends.add(row.held_until.getTime());
      if (row.holder !== null) holders.add(row.holder);
    }
    return ends.size;
  };
  await expect.poll(countRenewals, often).toBeGreaterThan(3);
  return holders;
}

test("keeps the lease during a step that takes longer than the lease", async () => {
  const { chain, name, record } = await setUp();
  await chain.mine(3);
  let respond = (): void => undefined;
  const isReady = new Promise<void>((resolve) => (respond = resolve));
  const network = replaceAnswers(chain.network, (ask) => isReady.then(ask));
  follow(database, name, network, record.consumer);
  follow(database, name, network, record.consumer);
  expect((await waitForRenewals(name)).size).toBe(1);
  respond();
  await expect.poll(() => record.history, often).toEqual(["+2", "+3", "+4"]);
});

test("renews the lease after storing a block has taken longer than the lease", async () => {
  const place = {
    ...{ database, follower: crypto.randomUUID(), chainId: 1 },
    ...{ holder: crypto.randomUUID(), leaseMs: 200 },
  };
  await startAt(place, 7);
  await takeLease(place);
  const readEnd = () =>
    database
      .selectFrom("followed_chains")
      .select("held_until as end")
      .select(sql<Date>`clock_timestamp()`.as("now"))
      .where("follower", "=", place.follower)
      .executeTakeFirstOrThrow();
  const hash = `0x${"2".repeat(64)}` as const;
  let storedAt = new Date(0);
  const { consumer } = createRecord(`0x${"1".repeat(40)}`);
  const onBlocks = async (): Promise<void> => {
    const isOver = async () => (await readEnd()).now > (await readEnd()).end;
    await expect.poll(isOver, often).toBe(true);
    storedAt = (await readEnd()).now;
  };
  const block = {
    ...{ number: 7, hash, parentHash: hash, minedAt: new Date(0) },
    ...{ logs: [], isComplete: true },
  };
  await addBlocks(place, { ...consumer, onBlocks }, [block]);
  const leaseMs = (await readEnd()).end.getTime() - storedAt.getTime();
  expect(leaseMs).toBeGreaterThanOrEqual(place.leaseMs);
});

test("requests new blocks no more often than configured", async () => {
  const { chain, name, record } = await setUp();
  let heads = 0;
  const network = replaceAnswers(chain.network, (ask, question) => {
    if (question.includes("latest")) heads += 1;
    return ask();
  });
  const slow = { ...network, follow: { pollMs: 30_000, headsUrl: null } };
  follow(database, name, slow, record.consumer, { leaseMs: 150 });
  // The first request finds the blocks, and the second one finds no others.
  await expect.poll(() => heads, often).toBe(2);
  await waitForRenewals(name);
  expect(heads).toBe(2);
});

test("takes over the chain when another instance's lease ends", async () => {
  const { chain, name, record } = await setUp();
  await chain.mine(1);
  const leaseEnd = new Date(Date.now() + 500);
  await database
    .insertInto("followed_chains")
    .values({
      ...{ follower: name, chain_id: 31337, next_number: 0 },
      holder: crypto.randomUUID(),
      held_until: leaseEnd,
    })
    .execute();
  const options = { leaseMs: 300 };
  follow(database, name, chain.network, record.consumer, options);
  await expect.poll(() => record.canonical.length, often).toBe(1);
  expect(Date.now()).toBeGreaterThanOrEqual(leaseEnd.getTime());
});

test("reports blocks again if the consumer fails", async () => {
  const { chain, name, record } = await setUp();
  await chain.mine(2);
  let failures = 0;
  const { onBlocks, onBlocksRemoved } = record.consumer;
  follow(database, name, chain.network, {
    onBlocksRemoved,
    onBlocks: async (transaction, blocks) => {
      await transaction.insertInto("projects").values({ name }).execute();
      failures += 1;
      if (failures === 1) throw new Error("not yet");
      await onBlocks(transaction, blocks);
    },
  });
  await expect.poll(() => record.canonical.length, often).toBe(2);
  const countProjects = async () => {
    const projects = database.selectFrom("projects").selectAll();
    return (await projects.where("name", "=", name).execute()).length;
  };
  // The failed transaction is rolled back. The blocks may arrive in several
  // calls, and the last call may not be committed yet.
  await expect.poll(countProjects, often).toBe(failures - 1);
});
