import { randomBytes } from "node:crypto";

import { sql } from "kysely";
import type { Hex } from "viem";
import { expect, onTestFinished, test } from "vitest";

import { migrate } from "../../database/migrate.js";
import { openDatabase } from "../../database/pool.js";
import type { FollowedBlock } from "../../follower/block.js";
import { makeDataFolder } from "../load/spawned-platform.js";
import { enqueue } from "../../queue/enqueue.js";
import { takeJobs } from "../../queue/leases.js";
import { startWorker } from "../../queue/worker.js";
import {
  createBlockIndexer,
  deliveryQueue,
  indexerFollower,
} from "../../services/indexer/index-blocks.js";
import { startServer } from "../support/replica.js";
import { silent } from "../support/test-database.js";

/** Opens a server that nothing else writes to. */
async function openQuietServer() {
  const { url } = await startServer(makeDataFolder());
  await migrate(url);
  const { database } = openDatabase(url, silent);
  onTestFinished(() => database.destroy());
  const readPosition = async (): Promise<number> => {
    const { rows } = await sql<{ readonly at: number }>`
      select (pg_current_wal_insert_lsn() - '0/0')::float8 as at
    `.execute(database);
    return rows[0]?.at ?? NaN;
  };
  /** Returns how many bytes of write-ahead log some work causes. */
  const measure = async (work: () => Promise<unknown>): Promise<number> => {
    const start = await readPosition();
    await work();
    return (await readPosition()) - start;
  };
  return { database, measure };
}

test("taking a job from one of 5,000 lanes writes little", async () => {
  const { database, measure } = await openQuietServer();
  const jobs = Array.from({ length: 5000 }, (_, lane) =>
    [0, 1].map((key) => ({
      ...{ key: `${lane} ${key}`, lane: String(lane), payload: null },
    })),
  );
  await enqueue(database, "test", jobs.flat());
  const lanes = Array.from({ length: 100 }, (_, lane) => `${lane}/`);
  const bytes = await measure(async () => {
    for (const lane of lanes) {
      await takeJobs(database, "test", new Map([[lane, 1]]), 10_000);
    }
  });
  console.log(`${(bytes / lanes.length / 1024).toFixed(1)} KiB per job`);
  expect(bytes / lanes.length).toBeLessThan(20 * 1024);
});

const hex = (bytes: number): Hex => `0x${randomBytes(bytes).toString("hex")}`;

/** Creates a block whose logs make notifications of about 1.5 kB. */
function createBlock(number: number, logs: number): FollowedBlock {
  return {
    ...{ number, hash: hex(32), parentHash: hex(32), minedAt: new Date() },
    ...{ isComplete: true, round: 1 },
    logs: Array.from({ length: logs }, (_, logIndex) => ({
      ...{ address: hex(20), topics: [hex(32), hex(32)], data: hex(305) },
      ...{ transactionHash: hex(32), transactionIndex: logIndex, logIndex },
    })),
  };
}

test("a webhook of 1.5 kB writes less than 6 kB", async () => {
  const { database, measure } = await openQuietServer();
  await sql`
    with project as (
      insert into projects (name) values ('a') returning id
    ), chain as (
      insert into followed_chains (follower, chain_id, next_number)
      values (${indexerFollower}, 1, 1)
    )
    insert into webhook_listeners (project_id, chain_id, url, filters)
    select id, 1, '', '{}' from project`.execute(database);
  const listener = {
    ...{ id: 1, projectId: 1, contracts: null, events: null, topics: null },
    ...{ accounts: null, tokenIds: null },
  };
  const group = new Map([[1, new Set([listener])]]);
  const indexer = createBlockIndexer({
    ...{ chainId: 1, maxPerProject: 100_000, onRejected: () => undefined },
    index: {
      refresh: () => Promise.resolve(true),
      find: () => Promise.resolve([group]),
      ...{ remove: () => undefined, restore: () => Promise.resolve() },
    },
    work: { perProject: 20_000, maxItems: 100, total: 200_000 },
    onNotices: () => undefined,
    findStandards: () => Promise.resolve(new Map()),
  });
  const sizes: number[] = [];
  const worker = startWorker({
    ...{ database, queue: deliveryQueue, log: silent, keepsDone: true },
    ...{ concurrency: 8, leaseMs: 10_000, pollMs: 20 },
    handle: ({ payload }) => {
      sizes.push(JSON.stringify(payload).length);
      return Promise.resolve({ kind: "done" });
    },
  });
  onTestFinished(() => worker.stop());
  const deliver = async (blocks: number, logs: number): Promise<void> => {
    const count = sizes.length + blocks * logs;
    for (let number = 0; number < blocks; number += 1) {
      const block = createBlock(number, logs);
      await indexer.prepare?.(database, [block]);
      await database.transaction().execute(async (transaction) => {
        await sql`
          insert into followed_blocks
            (follower, chain_id, hash, parent_hash, number, mined_at)
          values (${indexerFollower}, 1, ${block.hash}, '', ${number}, now())
        `.execute(transaction);
        await indexer.onBlocks(transaction, [block]);
      });
      indexer.onCommitted?.();
    }
    await expect
      .poll(async () => {
        const { rows } = await sql`select from jobs`.execute(database);
        return [sizes.length, rows.length];
      })
      .toEqual([count, 0]);
    await sql`delete from followed_blocks`.execute(database);
  };
  // The first writes to a page also log the page.
  await deliver(20, 50);
  const bytes = (await measure(() => deliver(40, 50))) / 2000;
  const size = sizes.reduce((sum, each) => sum + each, 0) / sizes.length;
  console.log(`${bytes.toFixed(0)} bytes for ${size.toFixed(0)}`);
  expect(size).toBeGreaterThan(1450);
  expect(bytes).toBeLessThan(6000);
});
