import { sql } from "kysely";
import { padHex } from "viem";
import { expect, test } from "vitest";

import { selectOffers } from "../../services/marketplace/book/select-offers.js";
import { watchQueries } from "../support/query-plans.js";
import {
  createMigratedDatabase,
  openTestDatabase,
} from "../support/test-database.js";

const url = await createMigratedDatabase();
const database = await openTestDatabase(url);
const contract = padHex("0x5e", { size: 20 });
const collection = padHex("0xc0", { size: 20 });
const book = { chainId: 137, contract };
const [gold, silver] = ["0x01", "0x02"];

/** Adds offers for any token of the collection, with prices from 1 on. */
async function addOffers(makers: number, currency: string, each: number) {
  await sql`
    with collection as (
      insert into marketplace_collections (chain_id, address)
      values (137, ${collection})
      on conflict (chain_id, address) do update set address = ${collection}
      returning id
    )
    insert into marketplace_orders (chain_id, contract, order_hash,
      collection_id, side, maker, currency, quantity, data, ends_at,
      block_number, log_index, mined_at, unit_price)
    select 137, ${contract}, concat(${currency}::text, ' ', maker, ' ', number),
      id, 'offer', 'maker ' || maker, ${currency}, 1, '0x',
      now() + interval '1 day', 1, 1, now(), number
    from collection, generate_series(1, ${makers}::int) as maker,
      generate_series(1, ${each}::int) as number`.execute(database);
}

/** Returns the currencies and prices of the selected offers. */
async function find(
  currencies: Parameters<typeof selectOffers>[2]["currencies"],
) {
  const ids = await selectOffers(database, book, {
    ...{ collection, tokenId: 1n, makers: [], currencies },
  });
  const { rows } = await sql<{
    readonly offers: readonly {
      readonly currency: string;
      readonly unit_price: number;
    }[];
  }>`
    select json_agg(offer order by position) as offers
    from unnest(${ids}::bigint[]) with ordinality as ids (id, position)
    join marketplace_orders as offer using (id)`.execute(database);
  return rows[0]?.offers ?? [];
}

test("compares a limited number of offers per maker and in total, the best of each first", async () => {
  await addOffers(1, gold, 1200);
  const ofOne = await find({ only: [gold] });
  expect(ofOne.map((row) => Number(row.unit_price))).toEqual(
    Array.from({ length: 100 }, (_, at) => 1200 - at),
  );
  // The best 1000 have ended, so no others are read.
  await sql`
    insert into marketplace_changes (chain_id, contract, block_number, log_index,
      kind, order_hash, maker, quantity, mined_at)
    select 137, ${contract}, 2, id, 'cancelled', order_hash, maker, null, now()
    from marketplace_orders where unit_price > 200`.execute(database);
  expect(await find({ only: [gold] })).toEqual([]);

  await sql`delete from marketplace_changes`.execute(database);
  await sql`delete from marketplace_orders`.execute(database);
  await addOffers(100, gold, 101);
  await addOffers(20, silver, 101);
  for (const currencies of [{ only: [gold, silver] }, { except: [] }]) {
    const rows = await find(currencies);
    const of = (currency: string) =>
      rows.filter((row) => row.currency === currency);
    expect([of(gold).length, of(silver).length]).toEqual([8000, 2000]);
    expect(Math.min(...of(gold).map((row) => Number(row.unit_price)))).toBe(22);
  }
});

test("reads each of many makers' offers once", async () => {
  await sql`delete from marketplace_orders`.execute(database);
  await addOffers(100, gold, 101);
  await sql`analyze`.execute(database);
  for (const currencies of [{ only: [gold] }, { except: [] }]) {
    const findPlans = watchQueries();
    await find(currencies);
    const { mostRows } = await findPlans(url);
    expect(mostRows).toBeLessThanOrEqual(100 * 101);
  }
});
