import { type RawBuilder, sql } from "kysely";

import type { Database, Row } from "../../../database/schema.js";
import type { Book } from "./book.js";
import { selectOrders } from "./select-orders.js";

/** Selects offers. */
export interface OfferSearch {
  readonly collection: string;
  readonly tokenId: bigint;
  /** An empty list accepts any maker. */
  readonly makers: readonly string[];
  readonly currencies: Currencies;
}

/** Currencies to search: only these, or all others. */
export type Currencies =
  { readonly only: readonly string[] } | { readonly except: readonly string[] };

/**
 * The maximum number of offers for a token, or for any token, per maker and
 * currency. A maker's own offers can therefore not hide those of others.
 */
const maxPerMaker = 100;

/**
 * The maximum number of unexpired offers that are read per maker and currency
 * to find those that have not been filled or canceled.
 */
const maxReadPerMaker = 1000;

/**
 * The maximum number of offers for a token, or for any token. If there are more,
 * each currency gets an equal share.
 */
const maxOffers = 10_000;

/**
 * Returns the IDs of offers for a token and offers for any token of its collection, except
 * offers known to have ended. Prefers the highest prices of each maker. Prices
 * of auctions count at their maximum.
 */
export async function selectOffers(
  database: Database,
  book: Book,
  search: OfferSearch,
): Promise<readonly number[]> {
  const collectionId = sql<number>`(
    select id from marketplace_collections
    where chain_id = ${book.chainId}
    and address = ${search.collection.toLowerCase()})`;
  const collectibleId = sql<number>`(
    select id from marketplace_collectibles
    where collection_id = ${collectionId}
    and token_id = ${search.tokenId.toString()})`;
  const ofCollection = sql<boolean>`
    collection_id = ${collectionId} and side = 'offer'`;
  const kinds = [
    sql<boolean>`${ofCollection} and collectible_id is null`,
    sql<boolean>`${ofCollection} and collectible_id = ${collectibleId}`,
  ];
  const found: number[] = [];
  // Each query reads its own part of the index. A call uses one connection.
  for (const kind of kinds) {
    found.push(...(await selectOfKind(database, book, search, kind)));
  }
  return found;
}

async function selectOfKind(
  database: Database,
  book: Book,
  { currencies, makers }: OfferSearch,
  kind: RawBuilder<boolean>,
): Promise<readonly number[]> {
  // Without a limit of its own, this would read and sort all of a maker's offers.
  const candidates = sql<Row<"marketplace_orders">>`(
    select * from marketplace_orders
    where ${kind} and currency = makers.currency and maker = makers.maker
      and ends_at > now()
    order by collectible_id, ${byPrice} limit ${sql.lit(maxReadPerMaker)})`;
  const best = selectOrders(database, book, candidates)
    .clearSelect()
    .select(["orders.id", "orders.currency", "orders.unit_price"])
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
    .orderBy(byPrice)
    .limit(sql.lit(maxPerMaker));
  // An array of IDs is read at once. As many rows would take a second.
  const { rows } = await sql<{ readonly ids: readonly number[] }>`
    with recursive ${withCurrencies(kind, currencies)},
      ${withMakers(kind, makers.map(lower))},
      ranked as (
        select best.id, row_number()
          over (partition by best.currency order by ${byPrice}) as place
        from makers cross join lateral (${best}) as best
        where makers.maker is not null
      )
    select coalesce(json_agg(id), '[]') as ids from (
      select id from ranked order by place limit ${maxOffers}
    ) as first`.execute(database);
  return rows[0]?.ids ?? [];
}

/**
 * Offers that an older version stored have no price and come last. PostgreSQL only
 * reads the index in this order if `collectible_id` comes first, because it may
 * be null.
 */
const byPrice = sql`unit_price desc nulls last, id`;

/**
 * Lists the currencies to search. Finding each one takes one index lookup,
 * regardless of how many offers it has.
 */
function withCurrencies(
  kind: RawBuilder<boolean>,
  currencies: Currencies,
): RawBuilder<unknown> {
  if ("only" in currencies) {
    const only = currencies.only.map(lower);
    return sql`currencies (currency) as (select unnest(${only}::text[]))`;
  }
  const next = (where: RawBuilder<unknown>) => sql`(
    select next.currency from marketplace_orders as next where ${kind} ${where}
    order by next.collectible_id, next.currency limit 1)`;
  return sql`known (currency) as (
      select ${next(sql``)}
      union all
      select ${next(sql`and next.currency > known.currency`)}
      from known where known.currency is not null
    ),
    currencies (currency) as (
      select currency from known
      where currency <> all(${currencies.except.map(lower)}::text[])
    )`;
}

/** Lists the makers of offers in each currency, in the same way. */
function withMakers(
  kind: RawBuilder<boolean>,
  makers: readonly string[],
): RawBuilder<unknown> {
  if (makers.length > 0) {
    return sql`makers as (
      select currency, maker from currencies
      cross join unnest(${makers}::text[]) as given (maker))`;
  }
  const next = (where: RawBuilder<unknown>) => sql`(
    select next.maker from marketplace_orders as next where ${kind} and ${where}
    order by next.collectible_id, next.maker limit 1)`;
  return sql`makers as (
    select currency, ${next(sql`next.currency = currencies.currency`)} as maker
    from currencies
    union all
    select currency,
      ${next(sql`next.currency = makers.currency and next.maker > makers.maker`)}
    from makers where makers.maker is not null)`;
}

function lower(address: string): string {
  return address.toLowerCase();
}
