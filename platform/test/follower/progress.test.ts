import { numberToHex } from "viem";
import { expect, test } from "vitest";

import type { ReadBlock } from "../../follower/block.js";
import {
  addBlocks,
  type FollowerIdentity,
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
