import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import { decodeAbiParameters, getAbiItem, type Hash, type Hex } from "viem";

import { piecesOf } from "../../../database/pieces.js";
import { prepare } from "../../../database/prepared.js";
import type { Database, Row } from "../../../database/schema.js";
import { shareFinds } from "../../../database/share-finds.js";
import { seaportAbi } from "../../../seaport/abi.js";
import { currentCaller } from "../../../process/concurrency/caller.js";
import { giveWay } from "../../../process/concurrency/give-way.js";
import { createLimit } from "../../../process/concurrency/limit-work.js";
import { hashOrder, type OrderParameters } from "../../../seaport/order.js";
import type { Book } from "./book.js";
import { type OfferSearch, selectOffers } from "./select-offers.js";
import {
  type OrderRow,
  selectOrders,
  selectWithChanges,
} from "./select-orders.js";
import { toTrade, type Trade } from "./trade.js";

/** An order's parameters, and the trade that they describe. */
export interface OrderTerms {
  readonly hash: Hash;
  readonly parameters: OrderParameters;
  readonly trade: Trade;
  /** Returns whether it was signed with a value of its maker's counter. */
  readonly hasCounter: (counter: bigint) => boolean;
}

/** An offer without its row, which only the best ones need. */
export interface Offer extends OrderTerms {
  readonly id: number;
}

/** A stored order. */
export interface StoredOrder extends OrderTerms {
  readonly row: OrderRow;
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
  /** Returns the offers that `selectOffers` finds. */
  offers(book: Book, search: OfferSearch): Promise<readonly Offer[]>;
  /**
   * Adds the rows of offers. Leaves out those that no longer exist, and those whose
   * ID belongs to another order, e.g. since a backup was restored.
   */
  withRows(
    book: Book,
    offers: readonly Offer[],
  ): Promise<readonly StoredOrder[]>;
}

/**
 * Creates the order finder. It caches the terms of orders, because they never
 * change.
 */
export function createOrderFinder(database: Database): OrderFinder {
  const known = new LRUCache<number, KnownTerms>({ max: maxKnown });
  const limitOffers = createLimit(offersAtOnce, maxWaiting, 1);
  const termsOf = ({ data, id, order_hash: hash }: OrderData) => {
    const found = known.get(id);
    if (found?.hash === hash) return found.terms;
    const terms = readTerms(data, hash);
    known.set(id, { hash, terms });
    return terms;
  };
  // Waiting calls share a statement.
  const findByHash = shareFinds<Book, readonly StoredOrder[]>(
    keyOfHash,
    async (wanted) => {
      const rows = await readByHash(database, wanted);
      return rows.map((row) => [
        keyOfRow(row),
        () => termsOf(row).map((terms) => ({ row, ...terms })),
      ]);
    },
  );
  const readOffers = async (ids: readonly number[]) => {
    const found = new Map<number, readonly OrderTerms[]>();
    const unknown: number[] = [];
    for (const id of ids) {
      await giveWay();
      const cached = known.get(id);
      if (cached === undefined) unknown.push(id);
      else found.set(id, cached.terms);
    }
    for (const some of piecesOf(unknown)) {
      for (const row of await readData(database, some)) {
        await giveWay();
        found.set(row.id, termsOf(row));
      }
    }
    return ids.flatMap((id) =>
      (found.get(id) ?? []).map((each) => ({ id, ...each })),
    );
  };
  return {
    named: async (book, names) => {
      const hashes = names.map(({ orderHash }) => orderHash.toLowerCase());
      const found = await findByHash(book, [...new Set(hashes)]);
      return ofNames([...found.values()].flat(), names);
    },
    offers: (book, search) =>
      limitOffers(
        async () => readOffers(await selectOffers(database, book, search)),
        currentCaller() ?? undefined,
        (offers) => offers.length / offersPerMs,
      ),
    withRows: async (book, offers) => {
      const ids = offers.map(({ id }) => id);
      const rows = await selectOrders(database, book)
        .where(sql<boolean>`orders.id = any(${ids}::bigint[])`)
        .execute();
      const byId = new Map(rows.map((row) => [row.id, row]));
      return offers.flatMap(({ id, ...terms }) => {
        const row = byId.get(id);
        if (row?.order_hash === terms.hash) return [{ row, ...terms }];
        known.delete(id);
        return [];
      });
    },
  };
}

/** The terms of an order, and of which. An ID alone can be given again. */
interface KnownTerms {
  readonly hash: Hash;
  readonly terms: readonly OrderTerms[];
}

/** The number of orders whose terms are cached: all that a call compares. */
const maxKnown = 20_000;

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

type OrderData = Pick<OrderRow, "data" | "id" | "order_hash">;

function readData(
  database: Database,
  ids: readonly number[],
): Promise<readonly OrderData[]> {
  return database
    .selectFrom("marketplace_orders")
    .select(["id", "order_hash", "data"])
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .execute();
}

/** Reads the rows of orders of several marketplaces. */
function readByHash(
  database: Database,
  wanted: readonly { readonly place: Book; readonly id: string }[],
): Promise<readonly OrderRow[]> {
  return selectByHash(
    database,
    wanted.map(({ place }) => place.chainId),
    wanted.map(({ place }) => place.contract),
    wanted.map(({ id }) => id),
  );
}

const selectByHash = prepare(
  (
    database,
    chainIds: readonly number[],
    contracts: readonly string[],
    hashes: readonly string[],
  ) => {
    const rows = sql<Row<"marketplace_orders">>`(
      select orders.* from unnest(
        ${chainIds}::bigint[], ${contracts}::text[], ${hashes}::text[]
      ) as named (chain_id, contract, order_hash)
      join marketplace_orders as orders using (chain_id, contract, order_hash))`;
    return selectWithChanges(database, rows).compile();
  },
);

function keyOfHash({ chainId, contract }: Book, hash: string): string {
  return `${chainId}/${contract}/${hash}`;
}

function keyOfRow({ chain_id, contract, order_hash }: OrderRow): string {
  return keyOfHash({ chainId: chain_id, contract }, order_hash);
}

/** Returns the orders with one of the names, oldest first. */
function ofNames(
  orders: readonly StoredOrder[],
  names: readonly OrderName[],
): readonly StoredOrder[] {
  const wanted = new Set(names.map(keyOfName));
  return orders
    .filter(({ hash, trade: { collection } }) =>
      wanted.has(keyOfName({ collection, orderHash: hash })),
    )
    .sort((one, other) => one.row.id - other.row.id);
}

function keyOfName({ collection, orderHash }: OrderName): string {
  return `${collection}/${orderHash}`.toLowerCase();
}

const { inputs } = getAbiItem({ abi: seaportAbi, name: "OrderValidated" });

/**
 * Reads the terms of an order. Returns an empty list if `toTrade` returns null.
 */
function readTerms(data: Hex, hash: Hash): readonly OrderTerms[] {
  const [, parameters] = decodeAbiParameters(inputs, data);
  const trade = toTrade(parameters);
  const hasCounter = createHasCounter(parameters, hash);
  return trade === null ? [] : [{ hash, parameters, trade, hasCounter }];
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
