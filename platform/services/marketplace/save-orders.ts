import { sql, type Transaction } from "kysely";
import type { Hash, Hex } from "viem";

import type { Tables } from "../../database/schema.js";
import type { OrderParameters } from "../../seaport/order.js";
import type { Book } from "./book.js";
import type { ChangeTable } from "../../database/tables/marketplace.js";
import { toDate } from "./time.js";
import { toTrade, type Trade } from "./trade.js";

/** A log of a marketplace contract. */
export interface LogPlace extends Book {
  /** Of the block. */
  readonly number: number;
  readonly minedAt: Date;
  readonly logIndex: number;
}

/** An order that was announced, or submitted. */
export interface SavedOrder {
  readonly orderHash: Hash;
  readonly parameters: OrderParameters;
  /** Of the log. */
  readonly data: Hex;
  /** Of an order that was submitted. */
  readonly signature?: Hex | null;
}

/** What has happened to an order, or to all of a maker. */
export interface Change {
  readonly kind: ChangeTable["kind"];
  readonly maker: string;
  /** null: to all. */
  readonly orderHash: Hash | null;
  /** How much was filled; null: nothing was. */
  readonly quantity: bigint | null;
}

/** Stores an order, unless it has no price. */
export async function saveOrder(
  transaction: Transaction<Tables>,
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
    data,
    ends_at: toDate(parameters.endTime),
    block_number: place.number,
    log_index: place.logIndex,
    mined_at: place.minedAt,
  };
  await transaction
    .insertInto("marketplace_orders")
    .values({ ...row, signature })
    // It was submitted before, or is of a chain that has changed deeper than its
    // blocks are kept.
    .onConflict((conflict) =>
      conflict
        .columns(["chain_id", "contract", "order_hash"])
        .doUpdateSet({ ...row, updated_at: sql<Date>`now()` }),
    )
    .execute();
}

/** The numbers of what an order is about; new ones where there are none. */
async function requireIds(
  transaction: Transaction<Tables>,
  chainId: number,
  { collection, tokenId }: Trade,
): Promise<{ collection_id: number; collectible_id: number | null }> {
  const address = collection.toLowerCase();
  const { id } = await transaction
    .insertInto("marketplace_collections")
    .values({ chain_id: chainId, address })
    .onConflict((conflict) =>
      // It answers the row only if it changes something.
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
 * Stores a change, if it is one of orders that are stored. The orders themselves
 * stay as they are: there may be any number of them.
 */
export async function saveChange(
  transaction: Transaction<Tables>,
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
 * Takes away what was announced in a block or in later ones. Orders that were
 * submitted stay.
 */
export async function removeFrom(
  transaction: Transaction<Tables>,
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
