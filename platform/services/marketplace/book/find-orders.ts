import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import { decodeAbiParameters, getAbiItem, type Hash, type Hex } from "viem";

import type { Database } from "../../../database/schema.js";
import { seaportAbi } from "../../../seaport/abi.js";
import { currentCaller } from "../../../process/concurrency/caller.js";
import { createGiveWay } from "../../../process/concurrency/give-way.js";
import { createLimit } from "../../../process/concurrency/limit-work.js";
import { hashOrder, type OrderParameters } from "../../../seaport/order.js";
import type { Book } from "./book.js";
import {
  type OfferRow,
  type OfferSearch,
  selectOffers,
} from "./select-offers.js";
import { type OrderRow, selectOrders } from "./select-orders.js";
import { toTrade, type Trade } from "./trade.js";

/** An order's parameters, and the trade that they describe. */
export interface OrderTerms {
  readonly parameters: OrderParameters;
  readonly trade: Trade;
  /** Returns whether it was signed with a value of its maker's counter. */
  readonly hasCounter: (counter: bigint) => boolean;
}

/** A stored order. */
export interface StoredOrder extends OrderTerms {
  readonly row: OfferRow;
}

/** Identifies an order. */
export interface OrderName {
  /** The collection address, in upper or lower case. */
  readonly collection: string;
  /** The hash, in upper or lower case. */
  readonly orderHash: string;
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
  /** Returns the same offers as `selectOffers`. */
  offers(book: Book, search: OfferSearch): Promise<readonly StoredOrder[]>;
}

/**
 * Creates the order finder. It caches the terms of orders, because they never
 * change.
 */
export function createOrderFinder(database: Database): OrderFinder {
  const known = new LRUCache<Hash, readonly OrderTerms[]>({ max: maxKnown });
  const limitOffers = createLimit(offersAtOnce, maxWaiting, 1);
  const toOrder = ({ data, ...row }: OrderRow): readonly StoredOrder[] => {
    let terms = known.get(row.order_hash);
    if (terms === undefined) {
      terms = readTerms(data, row.order_hash);
      known.set(row.order_hash, terms);
    }
    return terms.map((each) => ({ row, ...each }));
  };
  const readAll = async (rows: readonly OrderRow[]) => {
    const giveWay = createGiveWay();
    const orders: StoredOrder[] = [];
    for (const row of rows) {
      await giveWay();
      orders.push(...toOrder(row));
    }
    return orders;
  };
  const readOffers = async (rows: readonly OfferRow[]) => {
    const giveWay = createGiveWay();
    const terms = new Map<Hash, readonly OrderTerms[]>();
    const unknown: number[] = [];
    for (const { id, order_hash: hash } of rows) {
      await giveWay();
      const found = known.get(hash);
      if (found === undefined) unknown.push(id);
      else terms.set(hash, found);
    }
    for (let start = 0; start < unknown.length; start += dataAtOnce) {
      const ids = unknown.slice(start, start + dataAtOnce);
      for (const { data, order_hash: hash } of await readData(database, ids)) {
        await giveWay();
        const found = readTerms(data, hash);
        known.set(hash, found);
        terms.set(hash, found);
      }
    }
    return rows.flatMap((row) =>
      (terms.get(row.order_hash) ?? []).map((each) => ({ row, ...each })),
    );
  };
  return {
    named: async (book, names) =>
      readAll(await selectNamed(database, book, names)),
    offers: (book, search) =>
      limitOffers(
        async () => readOffers(await selectOffers(database, book, search)),
        currentCaller() ?? undefined,
        (offers) => offers.length / offersPerMs,
      ),
  };
}

/** The number of orders whose terms are cached: all that a call compares. */
const maxKnown = 20_000;

/** The number of orders whose data is read at once. */
const dataAtOnce = 500;

/**
 * The number of calls that read offers at once, of different callers, and of those
 * that wait. Each can read thousands.
 */
const offersAtOnce = 2;
const maxWaiting = 1000;

/**
 * The number of offers for which a caller's next search waits for a millisecond.
 * Finding and comparing 10,000 keeps a core busy for about half a second, so a
 * caller uses about a tenth of one.
 */
const offersPerMs = 2;

function readData(database: Database, ids: readonly number[]) {
  return database
    .selectFrom("marketplace_orders")
    .select(["order_hash", "data"])
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .execute();
}

function selectNamed(
  database: Database,
  book: Book,
  names: readonly OrderName[],
): Promise<readonly OrderRow[]> {
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

const { inputs } = getAbiItem({ abi: seaportAbi, name: "OrderValidated" });

/**
 * Reads the terms of an order. Returns an empty list if `toTrade` returns null.
 */
function readTerms(data: Hex, hash: Hash): readonly OrderTerms[] {
  const [, parameters] = decodeAbiParameters(inputs, data);
  const trade = toTrade(parameters);
  const hasCounter = createHasCounter(parameters, hash);
  return trade === null ? [] : [{ parameters, trade, hasCounter }];
}

/**
 * Creates the function that checks an order's counter by hashing the order. It
 * remembers a matching counter, because hashing is the slowest part of
 * processing an order.
 */
function createHasCounter(
  parameters: OrderParameters,
  hash: Hash,
): OrderTerms["hasCounter"] {
  let right: bigint | null = null;
  return (counter) => {
    if (right === null && hashOrder(parameters, counter) === hash) {
      right = counter;
    }
    return right === counter;
  };
}
