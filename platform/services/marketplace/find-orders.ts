import { type Kysely, type Selectable, sql } from "kysely";
import { decodeAbiParameters, getAbiItem, type Hash, type Hex } from "viem";

import type { Tables } from "../../database/schema.js";
import { seaportAbi } from "../../seaport/abi.js";
import type { OrderParameters } from "../../seaport/order.js";
import type { Book } from "./book.js";
import type { OrderTable } from "./tables.js";
import { toTrade, type Trade } from "./trade.js";

/** What an order is about, as its maker has said. */
export interface OrderTerms {
  readonly parameters: OrderParameters;
  readonly trade: Trade;
}

/** An order that is stored. */
export interface StoredOrder extends OrderTerms {
  readonly row: Selectable<OrderTable> & {
    /** When something happened to it the last time. */
    readonly changed_at: Date | null;
  };
}

/** Names an order. */
export interface OrderName {
  /** Of the collection, in any case. */
  readonly collection: string;
  /** In any case. */
  readonly orderHash: string;
}

/** Which offers. */
export interface OfferSearch {
  readonly collection: string;
  readonly tokenId: bigint;
  /** Empty: anybody. */
  readonly makers: readonly string[];
}

/** Finds orders that are stored. */
export interface OrderFinder {
  /** Those among some, each once, the oldest first. */
  named(
    book: Book,
    names: readonly OrderName[],
  ): Promise<readonly StoredOrder[]>;
  /**
   * Offers for a token, or for any of its collection, of which it is not known
   * that they are over.
   */
  offers(book: Book, search: OfferSearch): Promise<readonly StoredOrder[]>;
}

/** Makes what finds orders; it keeps what each is about, which never changes. */
export function createOrderFinder(database: Kysely<Tables>): OrderFinder {
  const known = new Map<Hash, readonly OrderTerms[]>();
  const toOrder = (row: StoredOrder["row"]): readonly StoredOrder[] => {
    let terms = known.get(row.order_hash);
    if (terms === undefined) {
      terms = readTerms(row.data);
      if (known.size >= keptOrders) known.clear();
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

/** More are forgotten. */
const keptOrders = 10_000;

function selectNamed(
  database: Kysely<Tables>,
  book: Book,
  names: readonly OrderName[],
): Promise<readonly StoredOrder["row"][]> {
  if (names.length === 0) return Promise.resolve([]);
  const pairs = names.map(
    ({ collection, orderHash }) =>
      sql`(${collection.toLowerCase()}, ${orderHash.toLowerCase()})`,
  );
  return selectOrders(database, book)
    .where(
      sql<boolean>`(collection.address, orders.order_hash) in (${sql.join(pairs)})`,
    )
    .orderBy("orders.id")
    .execute();
}

function selectOffers(
  database: Kysely<Tables>,
  book: Book,
  { collection, tokenId, makers }: OfferSearch,
): Promise<readonly StoredOrder["row"][]> {
  return selectOrders(database, book)
    .leftJoin(
      "marketplace_collectibles as collectible",
      "collectible.id",
      "orders.collectible_id",
    )
    .where("collection.address", "=", collection.toLowerCase())
    .where("orders.side", "=", "offer")
    .where((either) =>
      either.or([
        either("orders.collectible_id", "is", null),
        either("collectible.token_id", "=", tokenId.toString()),
      ]),
    )
    .where("orders.ends_at", ">", sql<Date>`now()`)
    .where(
      sql<boolean>`not exists (
        select from marketplace_changes as change
        where ${isOf} and change.kind <> 'filled')`,
    )
    .where(
      sql<boolean>`orders.quantity > (
        select coalesce(sum(change.quantity), 0)
        from marketplace_changes as change
        where ${isOf} and change.kind = 'filled')`,
    )
    .$if(makers.length > 0, (query) =>
      query.where(
        "orders.maker",
        "in",
        makers.map((maker) => maker.toLowerCase()),
      ),
    )
    .orderBy("orders.id")
    .execute();
}

/** Whether a change is one of an order, or of all that its maker had made. */
const isOf = sql`
  change.chain_id = orders.chain_id and change.contract = orders.contract
  and (change.order_hash = orders.order_hash
    or change.kind = 'all-cancelled' and change.maker = orders.maker
    and (change.block_number, change.log_index)
      > (orders.block_number, orders.log_index))`;

function selectOrders(database: Kysely<Tables>, { chainId, contract }: Book) {
  return database
    .selectFrom("marketplace_orders as orders")
    .innerJoin(
      "marketplace_collections as collection",
      "collection.id",
      "orders.collection_id",
    )
    .selectAll("orders")
    .select(
      sql<Date | null>`(
        select max(change.mined_at) from marketplace_changes as change
        where ${isOf})`.as("changed_at"),
    )
    .where("orders.chain_id", "=", chainId)
    .where("orders.contract", "=", contract);
}

const { inputs } = getAbiItem({ abi: seaportAbi, name: "OrderValidated" });

/** What an order is about; empty: it has no price. */
function readTerms(data: Hex): readonly OrderTerms[] {
  const [, parameters] = decodeAbiParameters(inputs, data);
  const trade = toTrade(parameters);
  return trade === null ? [] : [{ parameters, trade }];
}
