import { sql } from "kysely";
import { pino } from "pino";
import { padHex } from "viem";
import { expect, onTestFinished, test } from "vitest";

import {
  createAudience,
  listAudiences,
} from "../../services/builder/audiences.js";
import { readInPieces, rowsAtOnce } from "../../database/pieces.js";
import { openDatabase } from "../../database/pool.js";
import { createProject } from "../../keys/key-store.js";
import { replayDeadJobs } from "../../queue/enqueue.js";
import { findDueLanes, findLanes } from "../../queue/leases.js";
import { checkTanks } from "../../relaying/reconcile.js";
import { createListenerIndex } from "../../services/indexer/listener-index.js";
import { selectOffers } from "../../services/marketplace/book/select-offers.js";
import { testKeys } from "../support/serve-platform.js";
import { createMigratedDatabase } from "../support/test-database.js";

/** More rows than two pieces have. */
const count = 2 * rowsAtOnce + 1;

const numbers = sql`generate_series(1, ${sql.lit(count)}) as n`;

/** Opens a database with all tables, and collects what it logs. */
async function open() {
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(line) });
  const { database } = openDatabase(await createMigratedDatabase(), log);
  onTestFinished(() => database.destroy());
  return { database, lines };
}

test("logs a query that returns more rows than a piece", async () => {
  const { database, lines } = await open();
  const read = (rows: number) =>
    sql`select generate_series(1, ${rows}::int)`.execute(database);
  await read(rowsAtOnce);
  expect(lines).toEqual([]);
  await read(rowsAtOnce + 1);
  expect(lines).toEqual([expect.stringContaining("too many rows")]);
});

test("reads each row once, whatever their number", async () => {
  for (const length of [0, 1, rowsAtOnce, rowsAtOnce + 1, count]) {
    const all = Array.from({ length }, (_, at) => at);
    const found = await readInPieces<number>((last = -1, limit) =>
      Promise.resolve(all.slice(last + 1, last + 1 + limit)),
    );
    expect(found).toEqual(all);
  }
});

test("no list of a tenant is read at once", async () => {
  const { database, lines } = await open();
  const store = { database, keys: testKeys };
  const { id } = await createProject(store, "Large");
  const address = padHex("0x5e", { size: 20 });
  const chainId = 137;
  const add = (statement: ReturnType<typeof sql>) =>
    statement.execute(database);

  await add(sql`insert into jobs (queue, key, lane, part, payload, dead_at)
    select 'test', n::text, (n % 7)::text, n::text, '{}', now() from ${numbers}`);
  expect(await replayDeadJobs(database, "test", {})).toBe(count);
  expect(new Set(await findLanes(database, "test")).size).toBe(count);
  expect(new Set(await findDueLanes(database, "test", 60_000)).size).toBe(
    count,
  );

  await add(sql`insert into webhook_listeners (project_id, chain_id, url, filters)
    select ${id}, ${chainId}, '',
      '{"contractAddresses":[],"events":[]}' from ${numbers}`);
  const index = createListenerIndex(chainId);
  expect(await index.refresh(database)).toBe(true);
  const log = { address, topics: [padHex("0x1")], data: "0x" } as const;
  const place = {
    transactionHash: "0x",
    transactionIndex: 0,
    logIndex: 0,
  } as const;
  const groups = await index.find({ ...log, ...place });
  expect(groups.map((group) => group.get(id)?.size)).toEqual([count]);

  await createAudience(database, id, "First", []);
  await add(sql`insert into audiences (project_id, name)
    select ${id}, n::text from ${numbers}`);
  const audiences = await listAudiences(database, id);
  expect(new Set(audiences.map((each) => each.id)).size).toBe(count + 1);

  await add(sql`insert into gas_tanks (project_id, chain_id, balance)
    select ${id}, n, n from ${numbers}`);
  await add(sql`insert into gas_tank_fills (gas_tank_id, amount)
    select id, balance from gas_tanks`);
  const tanks = await checkTanks(database);
  expect(new Set(tanks.map((tank) => tank.chainId)).size).toBe(count);
  expect(tanks.filter(({ difference }) => difference !== 0n)).toEqual([]);

  await add(sql`insert into marketplace_collections (chain_id, address)
    values (${chainId}, ${address})`);
  await add(sql`insert into marketplace_orders (chain_id, contract, order_hash,
      collection_id, side, maker, currency, quantity, data, ends_at, block_number,
      log_index, mined_at, unit_price)
    select ${chainId}, ${address}, n::text, collection.id, 'offer', n::text, '0x', 1,
      '0x', now() + interval '1 day', 1, n, now(), n
    from marketplace_collections as collection, ${numbers}`);
  const book = { chainId, contract: address };
  const search = { collection: address, tokenId: 1n, makers: [] };
  const offers = await selectOffers(database, book, {
    ...search,
    currencies: { except: [] },
  });
  expect(new Set(offers).size).toBe(count);
  expect(lines).toEqual([]);
});
