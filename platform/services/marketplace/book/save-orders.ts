import { sql } from "kysely";
import type { Hash, Hex } from "viem";

import type { Transaction } from "../../../database/schema.js";
import { toDate } from "../../../network/moment.js";
import type { OrderParameters } from "../../../seaport/order.js";
import type { Book } from "./book.js";
import type { ChangeTable } from "../../../database/tables/marketplace.js";
import { maxUnitPrice, toTrade, type Trade } from "./trade.js";

/** The position of a marketplace contract's log. */
export interface LogPlace extends Book {
  /** The number of the block. */
  readonly number: number;
  readonly minedAt: Date;
  readonly logIndex: number;
}

/** An order that was announced or submitted. */
export interface SavedOrder {
  readonly orderHash: Hash;
  readonly parameters: OrderParameters;
  /** The data of the log, or its equivalent for a submitted order. */
  readonly data: Hex;
  /** The signature of a submitted order. */
  readonly signature?: Hex | null;
}

/** A change to one order, or to all orders of a maker. */
export interface Change {
  readonly kind: ChangeTable["kind"];
  readonly maker: string;
  /** The order, or null if the change affects all orders of the maker. */
  readonly orderHash: Hash | null;
  /** The filled quantity, or null if nothing was filled. */
  readonly quantity: bigint | null;
}

/** Stores an order unless `toTrade` returns null for it. */
export async function saveOrder(
  transaction: Transaction,
  place: LogPlace,
  { orderHash, parameters, data, signature = null }: SavedOrder,
): Promise<void> {
  const trade = toTrade(parameters);
  if (trade === null) return;
  const ids = await requireIds(transaction, place.chainId, trade);
  const row = {
    chain_id: place.chainId,
    contract: place.contract,
    order_hash: orderHash,
    ...ids,
    side: trade.side,
    maker: parameters.offerer.toLowerCase(),
    currency: trade.currency.toLowerCase(),
    quantity: trade.quantity.toString(),
    unit_price: maxUnitPrice(trade)?.toString() ?? null,
    data,
    ends_at: toDate(parameters.endTime),
    block_number: place.number,
    log_index: place.logIndex,
    mined_at: place.minedAt,
  };
  await transaction
    .insertInto("marketplace_orders")
    .values({ ...row, signature })
    // The order may already be stored if it was submitted earlier, or if a
    // reorganization was deeper than the stored blocks.
    .onConflict((conflict) =>
      conflict
        .columns(["chain_id", "contract", "order_hash"])
        .doUpdateSet({ ...row, updated_at: sql<Date>`now()` }),
    )
    .execute();
}

/**
 * Returns the IDs of an order's collection and token. Creates both if
 * necessary.
 */
async function requireIds(
  transaction: Transaction,
  chainId: number,
  { collection, tokenId }: Trade,
): Promise<{ collection_id: number; collectible_id: number | null }> {
  const address = collection.toLowerCase();
  const { id } = await transaction
    .insertInto("marketplace_collections")
    .values({ chain_id: chainId, address })
    .onConflict((conflict) =>
      // An insert only returns rows that it creates or changes.
      conflict.columns(["chain_id", "address"]).doUpdateSet({ address }),
    )
    .returning("id")
    .executeTakeFirstOrThrow();
  if (tokenId === null) return { collection_id: id, collectible_id: null };
  const token = { collection_id: id, token_id: tokenId.toString() };
  const collectible = await transaction
    .insertInto("marketplace_collectibles")
    .values(token)
    .onConflict((conflict) =>
      conflict.columns(["collection_id", "token_id"]).doUpdateSet(token),
    )
    .returning("id")
    .executeTakeFirstOrThrow();
  return { collection_id: id, collectible_id: collectible.id };
}

/**
 * Stores a change if it affects stored orders. It does not update the orders
 * themselves, because there can be any number of them.
 */
export async function saveChange(
  transaction: Transaction,
  { chainId, contract, number, minedAt, logIndex }: LogPlace,
  { kind, maker, orderHash, quantity }: Change,
): Promise<void> {
  const owner = maker.toLowerCase();
  const order = await transaction
    .selectFrom("marketplace_orders")
    .select("id")
    .where("chain_id", "=", chainId)
    .where("contract", "=", contract)
    .where("maker", "=", owner)
    .$if(orderHash !== null, (query) =>
      query.where("order_hash", "=", orderHash),
    )
    .limit(1)
    .executeTakeFirst();
  if (order === undefined) return;
  await transaction
    .insertInto("marketplace_changes")
    .values({
      chain_id: chainId,
      contract,
      block_number: number,
      log_index: logIndex,
      kind,
      order_hash: orderHash,
      maker: owner,
      quantity: quantity?.toString() ?? null,
      mined_at: minedAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Removes everything that was announced in a block or a later one. Keeps
 * submitted orders.
 */
export async function removeFrom(
  transaction: Transaction,
  { chainId, contract }: Book,
  number: number,
): Promise<void> {
  await transaction
    .deleteFrom("marketplace_orders")
    .where("chain_id", "=", chainId)
    .where("contract", "=", contract)
    .where("block_number", ">=", number)
    .where("signature", "is", null)
    .execute();
  await transaction
    .deleteFrom("marketplace_changes")
    .where("chain_id", "=", chainId)
    .where("contract", "=", contract)
    .where("block_number", ">=", number)
    .execute();
}
