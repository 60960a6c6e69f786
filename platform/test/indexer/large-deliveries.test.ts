import { sql } from "kysely";
import { type Address, padHex } from "viem";
import { expect, test } from "vitest";

import type { BlockLog, FollowedBlock } from "../../follower/block.js";
import { startAt } from "../../follower/progress.js";
import {
  createBlockIndexer,
  indexerFollower,
} from "../../services/indexer/index-blocks.js";
import { createListenerIndex } from "../../services/indexer/listener-index.js";
import { createTestProject, servePlatform } from "../support/serve-platform.js";
import { openTestDatabase } from "../support/test-database.js";
import { blockOf, indexBlock, word } from "./index-block.js";

const database = await openTestDatabase();
const { store } = servePlatform(database);
const chainId = 137;
await startAt({ database, follower: indexerFollower, chainId }, 1);

const logOf = (
  address: Address,
  logIndex: number,
  words: number,
): BlockLog => ({
  ...{ address, topics: [word(1)], data: `0x${"ab".repeat(32 * words)}` },
  ...{ transactionHash: word(1), transactionIndex: 0, logIndex },
});

/** Adds a project that listens to a contract. Output: its ID. */
async function listenTo(address: Address): Promise<number> {
  const { id } = await createTestProject(store);
  const filters = { contractAddresses: [address], events: [] };
  await sql`
    insert into webhook_listeners (project_id, chain_id, url, filters)
    values (${id}, ${chainId}, 'https://receiver.test',
      ${JSON.stringify(filters)}::json)`.execute(database);
  return id;
}

/** Opens an indexer that has counted no pending webhooks yet. */
function openIndexer(maxPerProject: number) {
  const rejected: number[] = [];
  const indexer = createBlockIndexer({
    ...{ chainId, maxPerProject },
    work: { perProject: 1e6, maxItems: 10, total: 1e7 },
    index: createListenerIndex(chainId),
    findStandards: () => Promise.resolve(new Map()),
    onRejected: (count) => void rejected.push(count),
    onNotices: () => undefined,
  });
  const index = (block: FollowedBlock, fail?: () => void): Promise<void> =>
    indexBlock(database, chainId, indexer, block, fail);
  return { index, rejected };
}

async function unitsOf(projectId: number): Promise<readonly number[]> {
  const rows = await database
    .selectFrom("jobs")
    .select("units")
    .where("lane", "=", String(projectId))
    .orderBy("id")
    .execute();
  return rows.map(({ units }) => units);
}

test("a large webhook counts several times toward the limit of pending ones", async () => {
  const [heavy, light] = [
    padHex("0x1", { size: 20 }),
    padHex("0x2", { size: 20 }),
  ];
  const large = await listenTo(heavy);
  const small = await listenTo(light);
  const first = openIndexer(20);
  await first.index(
    blockOf(1, [
      ...[0, 1, 2, 3, 4].map((at) => logOf(heavy, at, 1100)),
      ...[5, 6, 7, 8, 9].map((at) => logOf(light, at, 1)),
    ]),
  );
  // 70 KB of hex are 9 units.
  expect(await unitsOf(large)).toEqual([9, 9, 9]);
  expect(await unitsOf(small)).toEqual([1, 1, 1, 1, 1]);
  expect(first.rejected).toEqual([2]);

  // An instance that counts again finds the same.
  const second = openIndexer(20);
  await second.index(blockOf(2, [logOf(heavy, 0, 1), logOf(light, 1, 1)]));
  expect(await unitsOf(large)).toEqual([9, 9, 9]);
  expect(await unitsOf(small)).toEqual([1, 1, 1, 1, 1, 1]);
  expect(second.rejected).toEqual([1]);
  const third = openIndexer(28);
  await third.index(blockOf(3, [logOf(heavy, 0, 1), logOf(heavy, 1, 1)]));
  expect(await unitsOf(large)).toEqual([9, 9, 9, 1]);
});

test("a block that is added again takes the place of the failed attempt", async () => {
  const address = padHex("0x3", { size: 20 });
  const project = await listenTo(address);
  const { index, rejected } = openIndexer(4);
  await index(blockOf(4, [logOf(address, 0, 1)]));
  const next = blockOf(5, [logOf(address, 0, 1), logOf(address, 1, 1)]);
  const lost = new Error("the connection was lost");
  const fail = (): never => {
    throw lost;
  };
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await expect(index(next, fail)).rejects.toBe(lost);
  }
  await index(next);
  expect(await unitsOf(project)).toEqual([1, 1, 1]);
  expect(rejected).toEqual([]);
  // What was committed counts.
  await index(blockOf(6, [logOf(address, 0, 1), logOf(address, 1, 1)]));
  expect(await unitsOf(project)).toEqual([1, 1, 1, 1]);
  expect(rejected).toEqual([1]);
});
