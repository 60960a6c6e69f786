import { type Kysely, type Selectable, sql } from "kysely";
import { LRUCache } from "lru-cache";
import { decodeAbiParameters, getAbiItem, type Hash, type Hex } from "viem";

import type { Tables } from "../../../database/schema.js";
import { seaportAbi } from "../../../seaport/abi.js";
import type { OrderParameters } from "../../../seaport/order.js";
import type { Book } from "./book.js";
import type { OrderTable } from "../../../database/tables/marketplace.js";
import { toTrade, type Trade } from "./trade.js";

/** An order's parameters, and the trade that they describe. */
export interface OrderTerms {
  readonly parameters: OrderParameters;
  readonly trade: Trade;
}

/** A stored order. */
export interface StoredOrder extends OrderTerms {
  readonly row: Omit<Selectable<OrderTable>, "data"> & {
    /** The block time of the order's last change, or null if there was none. */
    readonly changed_at: Date | null;
    /** When the last change was stored, or null if there was none. */
    readonly noted_at: Date | null;
  };
}

/** Identifies an order. */
export interface OrderName {
  /** The collection address, in upper or lower case. */
  readonly collection: string;
  /** The hash, in upper or lower case. */
  readonly orderHash: string;
}

/** Selects offers. */
export interface OfferSearch {
  readonly collection: string;
  readonly tokenId: bigint;
  /** An empty list accepts any maker. */
  readonly makers: readonly string[];
  /** An empty list accepts any currency. */
  readonly currencies: readonly string[];
}

/** Finds stored orders. */
export interface OrderFinder {
  /**
   * Returns the named orders that exist, oldest first and without duplicates.
   */
  named(
    book: Book,
    names: readonly OrderName[],
  ): Promise<readonly StoredOrder[]>;
  /**
   * Returns offers for a token and offers for any token of its collection,
   * except offers known to have ended. Returns at most the 10,000 oldest
   * matching offers of each kind.
   */
  offers(book: Book, search: OfferSearch): Promise<readonly StoredOrder[]>;
}

type Row = StoredOrder["row"] & Pick<Selectable<OrderTable>, "data">;

/**
 * Creates the order finder. It caches the terms of orders, because they never
 * change.
 */
export function createOrderFinder(database: Kysely<Tables>): OrderFinder {
  const known = new LRUCache<Hash, readonly OrderTerms[]>({ max: 10_000 });
  const toOrder = ({ data, ...row }: Row): readonly StoredOrder[] => {
    let terms = known.get(row.order_hash);
    if (terms === undefined) {
      terms = readTerms(data);
      known.set(row.order_hash, terms);
    }
    return terms.map((each) => ({ row, ...each }));
  };
  return {
    named: async (book, names) =>
      (await selectNamed(database, book, names)).flatMap(toOrder),
    offers: async (book, search) =>
      (await selectOffers(database, book, search)).flatMap(toOrder),
  };
}

/**
 * The maximum number of offers for a token, and also of offers for any token.
 */
const maxOffers = 10_000;

function selectNamed(
  database: Kysely<Tables>,
  book: Book,
  names: readonly OrderName[],
): Promise<readonly Row[]> {
  if (names.length === 0) return Promise.resolve([]);
  const pairs = names.map(
    ({ collection, orderHash }) =>
      sql`(${collection.toLowerCase()}, ${orderHash.toLowerCase()})`,
  );
  return selectOrders(database, book)
    .innerJoin(
      "marketplace_collections as collection",
      "collection.id",
      "orders.collection_id",
    )
    .where(
      sql<boolean>`(collection.address, orders.order_hash) in (${sql.join(pairs)})`,
    )
    .orderBy("orders.id")
    .execute();
}

async function selectOffers(
  database: Kysely<Tables>,
  book: Book,
  { collection, currencies, makers, tokenId }: OfferSearch,
): Promise<readonly Row[]> {
  const collectionId = sql<number>`(
    select id from marketplace_collections
    where chain_id = ${book.chainId} and address = ${collection.toLowerCase()})`;
  const collectibleId = sql<number>`(
    select id from marketplace_collectibles
    where collection_id = ${collectionId} and token_id = ${tokenId.toString()})`;
  const lower = (address: string): string => address.toLowerCase();
  const open = selectOrders(database, book)
    .where("orders.collection_id", "=", collectionId)
    .where("orders.side", "=", "offer")
    .where("orders.ends_at", ">", sql<Date>`now()`)
    .where("own.is_cancelled", "is not", true)
    .where((where) =>
      where.or([
        where("counter.mined_at", "is", null),
        // After a reorganization, the increment that produced a submitted
        // order's counter can be in a later block than the order. The order's
        // hash shows whether the order is valid.
        where("orders.signature", "is not", null),
      ]),
    )
    .where("orders.quantity", ">", sql<string>`coalesce(own.filled, 0)`)
    .$if(makers.length > 0, (query) =>
      query.where("orders.maker", "in", makers.map(lower)),
    )
    // No offer is in the native currency, which has two addresses.
    .$if(currencies.length > 0, (query) =>
      query.where("orders.currency", "in", currencies.map(lower)),
    )
    .orderBy("orders.id")
    .limit(maxOffers);
  // Each query reads its own part of the index in ID order.
  const found = await Promise.all([
    open.where("orders.collectible_id", "is", null).execute(),
    open.where("orders.collectible_id", "=", collectibleId).execute(),
  ]);
  return found.flat();
}

/**
 * Selects orders with their changes and with the last time that their maker
 * canceled all orders.
 */
function selectOrders(database: Kysely<Tables>, { chainId, contract }: Book) {
  return database
    .selectFrom("marketplace_orders as orders")
    .leftJoinLateral(
      (lateral) =>
        lateral
          .selectFrom("marketplace_changes as change")
          .select([
            sql<Date | null>`max(change.mined_at)`.as("mined_at"),
            sql<Date | null>`max(change.created_at)`.as("created_at"),
            sql<boolean | null>`bool_or(change.kind = 'cancelled')`.as(
              "is_cancelled",
            ),
            sql<string | null>`sum(change.quantity)`.as("filled"),
          ])
          .whereRef("change.chain_id", "=", "orders.chain_id")
          .whereRef("change.contract", "=", "orders.contract")
          .whereRef("change.order_hash", "=", "orders.order_hash")
          .as("own"),
      (join) => join.onTrue(),
    )
    .leftJoinLateral(
      (lateral) =>
        lateral
          .selectFrom("marketplace_changes as change")
          .select(["change.mined_at", "change.created_at"])
          .whereRef("change.chain_id", "=", "orders.chain_id")
          .whereRef("change.contract", "=", "orders.contract")
          .whereRef("change.maker", "=", "orders.maker")
          .where("change.kind", "=", sql.lit("all-cancelled"))
          .where(
            sql<boolean>`(change.block_number, change.log_index)
              > (orders.block_number, orders.log_index)`,
          )
          .orderBy("change.block_number", "desc")
          .orderBy("change.log_index", "desc")
          .limit(sql.lit(1))
          .as("counter"),
      (join) => join.onTrue(),
    )
    .selectAll("orders")
    .select([
      sql<Date | null>`greatest(own.mined_at, counter.mined_at)`.as(
        "changed_at",
      ),
      sql<Date | null>`greatest(own.created_at, counter.created_at)`.as(
        "noted_at",
      ),
    ])
    .where("orders.chain_id", "=", chainId)
    .where("orders.contract", "=", contract);
}

const { inputs } = getAbiItem({ abi: seaportAbi, name: "OrderValidated" });

/**
 * Reads the terms of an order. Returns an empty list if `toTrade` returns null.
 */
function readTerms(data: Hex): readonly OrderTerms[] {
  const [, parameters] = decodeAbiParameters(inputs, data);
  const trade = toTrade(parameters);
  return trade === null ? [] : [{ parameters, trade }];
}
