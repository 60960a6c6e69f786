import { sql } from "kysely";
import {
  type Address,
  decodeAbiParameters,
  encodeAbiParameters,
  encodeEventTopics,
  getAbiItem,
  type Hex,
  isHex,
  numberToHex,
} from "viem";
import { expect, onTestFinished, test } from "vitest";

import { openDatabase } from "../../database/pool.js";
import type { BlockLog } from "../../follower/block.js";
import { seaportAbi } from "../../seaport/abi.js";
import { makeOffer } from "../../seaport/make-order.js";
import { ItemType } from "../../seaport/order.js";
import type { Book } from "../../services/marketplace/book/book.js";
import {
  createOrderFinder,
  type StoredOrder,
} from "../../services/marketplace/book/find-orders.js";
import { createOrderBook } from "../../services/marketplace/book/order-book.js";
import { saveOrder } from "../../services/marketplace/book/save-orders.js";
import { watchQueries } from "../support/query-plans.js";
import { createMigratedDatabase, silent } from "../support/test-database.js";
import { addressOf, hashOf } from "./stub-chain.js";

const book: Book = { chainId: 5, contract: addressOf(0xc0) };
const maker = addressOf(0xa0);
const collection = addressOf(0xb0);

/**
 * Opens an order book in a separate database, with offers in its first block.
 */
async function openBook(offerCount: number) {
  const url = await createMigratedDatabase();
  const { database } = openDatabase(url, silent);
  onTestFinished(() => database.destroy());
  const consumer = createOrderBook(book);
  const header = (number: number) => ({
    number,
    hash: hashOf(number),
    parentHash: hashOf(number - 1),
    minedAt: new Date(number * 1000),
  });
  const add = (number: number, logs: readonly BlockLog[]): Promise<void> =>
    database
      .transaction()
      .execute((transaction) =>
        consumer.onBlocks(transaction, [
          { ...header(number), logs, round: 1, isComplete: true },
        ]),
      );
  const remove = (number: number): Promise<void> =>
    database
      .transaction()
      .execute((transaction) =>
        consumer.onBlocksRemoved(transaction, [header(number)]),
      );
  const { offers, withRows } = createOrderFinder(database);
  const find = async (): Promise<readonly StoredOrder[]> =>
    withRows(
      book,
      await offers(book, {
        ...{ collection, tokenId: 7n, makers: [] },
        currencies: { except: [] },
      }),
    );
  await add(
    1,
    Array.from({ length: offerCount }, (_, index) => validated(index)),
  );
  return { database, url, add, remove, find, offers };
}

function validated(
  index: number,
  { offerer = maker, price = 100n } = {},
): BlockLog {
  const item = { itemType: ItemType.Erc721, token: collection };
  const parameters = makeOffer({
    ...{ maker: offerer, currency: addressOf(0xd0), price },
    item: { ...item, tokenId: 7n, quantity: 1n },
    changes: { salt: BigInt(index) },
  });
  const { inputs } = getAbiItem({ abi: seaportAbi, name: "OrderValidated" });
  const data = encodeAbiParameters(inputs, [hashOf(index), parameters]);
  const topics = encodeEventTopics({
    abi: seaportAbi,
    eventName: "OrderValidated",
  });
  return toLog(index, topics, data);
}

function incremented(index: number): BlockLog {
  const topics = encodeEventTopics({
    abi: seaportAbi,
    eventName: "CounterIncremented",
    args: { offerer: maker },
  });
  return toLog(index, topics, numberToHex(index, { size: 32 }));
}

function toLog(
  logIndex: number,
  topics: readonly unknown[],
  data: Hex,
): BlockLog {
  const address: Address = book.contract;
  return {
    address,
    topics: topics.filter((each) => isHex(each)),
    data,
    transactionHash: hashOf(1),
    transactionIndex: 0,
    logIndex,
  };
}

test("a raised counter ends all of its maker's offers without rewriting them", async () => {
  const { database, add, remove, find } = await openBook(50);
  // An updated row would get a new location.
  const readPlaces = async (): Promise<readonly unknown[]> => {
    const { rows } = await sql`
      select id, ctid from marketplace_orders order by id`.execute(database);
    return rows;
  };
  const before = await readPlaces();
  expect(await find()).toHaveLength(50);
  await add(2, [incremented(0), incremented(1)]);
  expect(await find()).toHaveLength(0);
  expect(await readPlaces()).toEqual(before);
  // Later offers remain valid.
  await add(3, [validated(60)]);
  expect(await find()).toHaveLength(1);
  await remove(2);
  expect(await find()).toHaveLength(50);
});

test("keeps a submitted offer that may be signed for the raised counter", async () => {
  const { database, add, remove, find } = await openBook(1);
  const { data } = validated(70);
  const { inputs } = getAbiItem({ abi: seaportAbi, name: "OrderValidated" });
  const [orderHash, parameters] = decodeAbiParameters(inputs, data);
  const place = { ...book, number: 3, minedAt: new Date(3000), logIndex: 9 };
  await add(2, [incremented(0)]);
  await database.transaction().execute((transaction) =>
    saveOrder(transaction, place, {
      ...{ orderHash, parameters, data },
      signature: "0x01",
    }),
  );
  expect(await find()).toHaveLength(1);
  // After a reorganization, the counter is raised in a later block than the
  // order's.
  await remove(2);
  await add(4, [incremented(0)]);
  const found = await find();
  expect(found.map(({ row }) => row.order_hash)).toEqual([orderHash]);
});

test("an offer reports when its maker's counter was last raised", async () => {
  const { database, add } = await openBook(1);
  await add(2, [incremented(0)]);
  await add(9, [incremented(0)]);
  const { named } = createOrderFinder(database);
  const [order] = await named(book, [{ collection, orderHash: hashOf(0) }]);
  expect(order?.row.changed_at).toEqual(new Date(9000));
  expect(order?.row.noted_at).toBeInstanceOf(Date);
  // It is found by its own collection only.
  const elsewhere = { collection: addressOf(0xe0), orderHash: hashOf(0) };
  expect(await named(book, [elsewhere])).toEqual([]);
  const upper = { collection, orderHash: hashOf(0).toUpperCase() };
  expect(await named(book, [upper, upper])).toHaveLength(1);
});

test("10,000 offers of a maker hide no others, and few of them are read", async () => {
  const { add, database, find, offers, url } = await openBook(1);
  await sql`
    insert into marketplace_orders (chain_id, contract, order_hash,
      collection_id, collectible_id, side, maker, currency, quantity, data,
      ends_at, block_number, log_index, mined_at, unit_price)
    select chain_id, contract, order_hash || '-' || number, collection_id,
      collectible_id, side, maker, currency, quantity, data, ends_at,
      block_number, log_index, mined_at, 1000 + number
    from marketplace_orders, generate_series(1, 10000) as number`.execute(
    database,
  );
  const others = [1, 2, 3].map((index) =>
    validated(index, { offerer: addressOf(0xa0 + index), price: 10n }),
  );
  await add(2, others);
  await sql`analyze`.execute(database);
  const findScans = watchQueries();
  const found = await find();
  const { mostRows, scans } = await findScans(url);
  expect(scans).toEqual([]);
  expect(mostRows).toBeLessThan(1100);
  const makers = found.map(({ row }) => row.maker);
  expect(makers.filter((each) => each === maker)).toHaveLength(100);
  expect(makers).toHaveLength(103);
  // The maker's own highest offers are among them.
  expect(found.some(({ row }) => row.unit_price === "11000")).toBe(true);
  const only = async (currency: Address) =>
    offers(book, {
      ...{ collection, tokenId: 7n, makers: [addressOf(0xa1)] },
      currencies: { only: [currency] },
    });
  expect(await only(addressOf(0xd0))).toHaveLength(1);
  expect(await only(addressOf(0xd1))).toEqual([]);
});

test("no query for orders reads a whole table or many rows for one order", async () => {
  const offerCount = 100;
  const { database, url, add, remove, find } = await openBook(offerCount);
  for (let number = 2; number < 12; number += 1) {
    const logs = Array.from({ length: 25 }, (_, index) => incremented(index));
    await add(number, logs);
  }
  await sql`analyze`.execute(database);
  const findScans = watchQueries();
  expect(await find()).toEqual([]);
  const { named } = createOrderFinder(database);
  await named(book, [{ collection, orderHash: hashOf(0) }]);
  await add(60, [validated(1000), incremented(1)]);
  await remove(60);
  const { scans, mostRows } = await findScans(url);
  expect(scans).toEqual([]);
  expect(mostRows).toBeLessThanOrEqual(2 * offerCount);
});

test("an ID that is given again has the terms of its own order", async () => {
  const { database, add, remove, find } = await openBook(1);
  const [former] = await find();
  const id = former?.row.id ?? expect.unreachable();
  await remove(1);
  await add(2, [validated(5, { price: 50n })]);
  await sql`alter table marketplace_orders alter id drop identity`.execute(
    database,
  );
  await sql`update marketplace_orders set id = ${id}`.execute(database);
  // The terms in memory are those of the former order.
  expect(await find()).toEqual([]);
  const [found] = await find();
  expect(found?.row.id).toBe(id);
  expect(found?.hash).toBe(hashOf(5));
});
