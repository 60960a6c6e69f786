import { numberToHex } from "viem";
import { expect, test } from "vitest";

import type { BlockConsumer, ReadBlock } from "../../follower/block.js";
import {
  addBlocks,
  type FollowerIdentity,
  readCanonical,
  removeBlocks,
  startAt,
  takeLease,
} from "../../follower/progress.js";
import { openTestDatabase } from "../support/test-database.js";

const database = await openTestDatabase();

const consumer = {
  onBlocks: () => Promise.resolve(),
  onBlocksRemoved: () => Promise.resolve(),
};

function blockOf(number: number, isComplete = true): ReadBlock {
  const hash = numberToHex(number, { size: 32 });
  const parentHash = numberToHex(number - 1, { size: 32 });
  return {
    number,
    hash,
    parentHash,
    minedAt: new Date(),
    logs: [],
    isComplete,
  };
}

/** Follows the blocks 1 to 5, of which the first one lacks logs. */
async function setUp(): Promise<FollowerIdentity> {
  const [follower, holder] = [crypto.randomUUID(), crypto.randomUUID()];
  const place = { database, follower, chainId: 1, holder, leaseMs: 60_000 };
  await startAt(place, 1);
  await takeLease(place);
  await addBlocks(place, consumer, [blockOf(1, false)]);
  await addBlocks(
    place,
    consumer,
    [2, 3, 4, 5].map((each) => blockOf(each)),
  );
  return place;
}

test("the block before the next one is the tip", async () => {
  const place = await setUp();
  const { position } = await removeBlocks(place, consumer, 4);
  expect(position).toMatchObject({ nextNumber: 4, tip: { number: 3 } });
  expect(await takeLease(place)).toEqual(position);
});

test("adds, reads and removes more blocks than a query returns", async () => {
  const place = await setUp();
  // Those that lack logs are kept beyond the others. The database of the tests
  // refuses larger queries.
  const blocks = Array.from({ length: 1100 }, (_, at) =>
    blockOf(6 + at, at % 2 === 0),
  );
  await addBlocks(place, consumer, blocks);
  const known = await readCanonical(place);
  expect(known.map(({ number }) => number)).toEqual(
    Array.from({ length: 512 }, (_, at) => 1105 - at),
  );
  const removed: number[] = [];
  const onBlocksRemoved: BlockConsumer["onBlocksRemoved"] = (_, some) => {
    removed.push(...some.map(({ number }) => number));
    return Promise.resolve();
  };
  const { count, position } = await removeBlocks(
    place,
    { ...consumer, onBlocksRemoved },
    6,
  );
  expect(position).toEqual({ nextNumber: 6, tip: null });
  // The last 512, and every other one before.
  expect(count).toBe(512 + (1100 - 512) / 2);
  expect(removed).toHaveLength(count);
  expect(removed).toEqual([...removed].sort((one, other) => other - one));
});

test.for([520, 2000])(
  "after a fork below the stored blocks, an old one that lacks logs is no tip: %s",
  async (number) => {
    const place = await setUp();
    const blocks = [number, number + 1].map((each) => blockOf(each));
    await addBlocks(place, consumer, blocks);
    const { count, position } = await removeBlocks(place, consumer, number);
    expect(count).toBe(2);
    expect(position).toEqual({ nextNumber: number, tip: null });
    expect(await takeLease(place)).toEqual(position);
  },
);
