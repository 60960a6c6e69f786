import { randomBytes } from "node:crypto";
import { monitorEventLoopDelay } from "node:perf_hooks";

import { sql } from "kysely";
import { type Hex, padHex, toHex } from "viem";
import { expect, test } from "vitest";

import { TokenEvent } from "../../../generated/indexer/types.js";
import type { FollowedBlock } from "../../follower/block.js";
import { parseEventSignature } from "../../services/indexer/event-signature.js";
import {
  createBlockIndexer,
  indexerFollower,
} from "../../services/indexer/index-blocks.js";
import { createListenerIndex } from "../../services/indexer/listener-index.js";
import { openTestDatabase } from "../support/test-database.js";
import { indexBlock } from "./index-block.js";

const database = await openTestDatabase();
const chainId = 137;

/** 100 projects with as many listeners each, which name no contract. */
const listeners = 10_000;

/** Accounts start here, so that no amount looks like one. */
const firstAccount = 1_000_000;

await sql`
  with owners as (
    insert into projects (name) select '' from generate_series(1, 100)
    returning id
  ), chain as (
    insert into followed_chains (follower, chain_id, next_number)
    values (${indexerFollower}, ${chainId}, 1)
  )
  insert into webhook_listeners (project_id, chain_id, url, filters)
  select 1 + n % 100, ${chainId}, '', json_build_object(
    'contractAddresses', '{}'::text[],
    'events', case when n % 2 = 0 then '{}'::text[]
      else array[${TokenEvent.ERC20_TRANSFER}::text] end,
    'accounts', array['0x' || lpad(to_hex(${firstAccount}::int + n), 40, '0')]
  )
  from generate_series(1, ${listeners}) as n`.execute(database);

const hex = (bytes: number): Hex => `0x${randomBytes(bytes).toString("hex")}`;
const { topicHash } = parseEventSignature(TokenEvent.ERC20_TRANSFER);

/** Creates a block of transfers to the accounts of different listeners. */
function createBlock(logs: number): FollowedBlock {
  return {
    ...{ number: logs, hash: hex(32), parentHash: hex(32) },
    ...{ minedAt: new Date(), isComplete: true, round: 1 },
    logs: Array.from({ length: logs }, (_, logIndex) => ({
      topics: [
        topicHash,
        padHex(hex(20)),
        padHex(toHex(firstAccount + logIndex + 1)),
      ],
      ...{ address: hex(20), data: padHex("0x1"), transactionHash: hex(32) },
      ...{ transactionIndex: logIndex, logIndex },
    })),
  };
}

test.each([1000, 10_000])(
  `a block of %i logs and ${listeners} listeners do not stall the process`,
  // A busy machine stalls it, too.
  { retry: 2 },
  async (logs) => {
    const indexer = createBlockIndexer({
      ...{ chainId, maxPerProject: 100_000, onRejected: () => undefined },
      work: { perProject: 20_000, maxItems: 100, total: 200_000 },
      onNotices: () => undefined,
      index: createListenerIndex(chainId),
      findStandards: () => Promise.resolve(new Map()),
    });
    const block = createBlock(logs);
    // An instance reads its listeners once.
    await indexer.prepare?.(database, [{ ...block, logs: [] }]);
    const delays = monitorEventLoopDelay({ resolution: 5 });
    delays.enable();
    const start = performance.now();
    await indexBlock(database, chainId, indexer, block);
    const seconds = (performance.now() - start) / 1000;
    delays.disable();
    const { rows } = await sql<{ readonly count: string }>`
      select count(*) from block_deliveries cross join json_array_elements(keys)
      where block_hash = ${block.hash}
    `.execute(database);
    expect(Number(rows[0]?.count)).toBe(logs);
    const stall = delays.max / 1e6;
    console.log(
      `${seconds.toFixed(2)} s, longest stall ${stall.toFixed(0)} ms`,
    );
    expect(seconds / logs).toBeLessThan(0.002);
    // 27 ms on a quiet machine. Before logs were matched by account, it was 5 s.
    expect(stall).toBeLessThan(500);
  },
);
