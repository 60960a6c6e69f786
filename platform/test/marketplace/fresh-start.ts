import {
  createTestClient,
  http,
  parseUnits,
  publicActions,
  zeroHash,
} from "viem";
import { expect, onTestFinished } from "vitest";

import { openDatabase } from "../../database/pool.js";
import { seaportAbi } from "../../seaport/abi.js";
import { makeListing } from "../../seaport/make-order.js";
import { followOrders } from "../../services/marketplace/book/follow-orders.js";
import { reorganize } from "../support/start-chain.js";
import { createMigratedDatabase, silent } from "../support/test-database.js";
import {
  approve,
  type TestMarket,
  toSigned,
  waitForHead,
} from "./open-market.js";

/**
 * Removes the last blocks with orders and their events, and expects the same
 * order book as after a fresh start on the new chain. Submitted orders are in
 * no block: all of them stay, while a fresh start has none.
 */
export async function expectFreshStart(
  market: TestMarket,
  depth: number,
): Promise<void> {
  const { chain, database, network, other, settle, user } = market;
  const { dollar, seaport } = chain.fixtures;
  const write = { address: seaport, abi: seaportAbi } as const;
  const anvil = createTestClient({
    mode: "anvil",
    transport: http(chain.rpcUrl),
  }).extend(publicActions);
  // Make sure that there are enough blocks to remove.
  await anvil.mine({ blocks: depth });
  const price = parseUnits("7", 6);
  const list = async () => {
    const item = await market.mint(user);
    const maker = user.account.address;
    const order = makeListing({ maker, item, currency: dollar, price });
    await market.validate(user, [order]);
    return order;
  };
  const orders = [await list(), await list(), await list()];
  const [cancelled, filled] = orders;
  if (cancelled === undefined || filled === undefined) throw new Error("none");
  await approve(other, dollar, seaport, price);
  const counter = await user.readContract({
    ...{ ...write, functionName: "getCounter" },
    args: [user.account.address],
  });
  await user.writeContractSync({
    ...{ ...write, functionName: "cancel" },
    args: [[{ ...cancelled, counter }]],
  });
  await other.writeContractSync({
    ...{ ...write, functionName: "fulfillOrder" },
    args: [toSigned(filled), zeroHash],
    throwOnReceiptRevert: true,
  });
  await list();
  await user.writeContractSync({ ...write, functionName: "incrementCounter" });
  // Some orders remain even if many blocks are removed.
  await anvil.mine({ blocks: Math.max(depth - 8, 0) });
  await settle();
  const before = await readBook(database);
  const submitted = await readSubmitted(database);
  await reorganize(anvil, depth);
  await list();
  await settle();
  const after = await readBook(database);
  expect(after).not.toEqual(before);
  expect(await readSubmitted(database)).toEqual(submitted);

  const url = await createMigratedDatabase();
  const { database: fresh } = openDatabase(url, silent);
  onTestFinished(() => fresh.destroy());
  const follower = followOrders({ database: fresh, log: silent }, network);
  onTestFinished(() => follower?.stop());
  await waitForHead(fresh, network);
  expect(await readSubmitted(fresh)).toEqual([]);
  expect(after).toEqual(await readBook(fresh));
}

/** Reads the hashes and signatures of orders that an operator submitted. */
function readSubmitted(database: TestMarket["database"]) {
  return database
    .selectFrom("marketplace_orders")
    .select(["order_hash", "signature"])
    .where("signature", "is not", null)
    .orderBy("order_hash")
    .execute();
}

/**
 * Reads the orders of a book that come from the chain, without the IDs and
 * times that the book itself assigns.
 */
async function readBook(database: TestMarket["database"]) {
  const orders = await database
    .selectFrom("marketplace_orders as orders")
    .innerJoin(
      "marketplace_collections as collection",
      "collection.id",
      "orders.collection_id",
    )
    .select(["address", "order_hash", "orders.chain_id", "contract", "side"])
    .select(["maker", "currency", "quantity", "data", "ends_at", "mined_at"])
    .select(["block_number", "log_index"])
    .where("signature", "is", null)
    .orderBy("order_hash")
    .execute();
  const changes = await database
    .selectFrom("marketplace_changes")
    .select(["chain_id", "contract", "block_number", "log_index", "kind"])
    .select(["order_hash", "maker", "quantity", "mined_at"])
    .where(({ eb, not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("marketplace_orders as orders")
            .select("orders.id")
            .where("signature", "is not", null)
            .where(
              "orders.order_hash",
              "=",
              eb.ref("marketplace_changes.order_hash"),
            ),
        ),
      ),
    )
    .orderBy("block_number")
    .orderBy("log_index")
    .execute();
  return { orders, changes };
}
