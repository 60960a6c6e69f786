import { type Migration, sql } from "kysely";
import { decodeAbiParameters, type Hex, parseAbiParameters } from "viem";

const rowsAtOnce = 500;

const orderTypes = parseAbiParameters([
  "bytes32 orderHash, Order order",
  "struct Item { uint8 itemType; address token; uint256 identifier; uint256 startAmount; uint256 endAmount; }",
  "struct PaidItem { uint8 itemType; address token; uint256 identifier; uint256 startAmount; uint256 endAmount; address recipient; }",
  "struct Order { address offerer; address zone; Item[] offer; PaidItem[] consideration; uint8 orderType; uint256 startTime; uint256 endTime; bytes32 zoneHash; uint256 salt; bytes32 conduitKey; uint256 total; }",
]);

/**
 * Adds the maximum price of one item to offers, and an index that finds the
 * highest offers of each maker in a currency. The version before this one does
 * not need either.
 */
export const offerPrices: Migration = {
  up: async (database) => {
    await sql`alter table marketplace_orders
      add column unit_price numeric(78)`.execute(database);
    let last = 0;
    for (;;) {
      const { rows } = await sql<{ id: number; quantity: string; data: Hex }>`
        select id, quantity, data from marketplace_orders
        where side = 'offer' and id > ${last} order by id limit ${rowsAtOnce}
      `.execute(database);
      if (rows.length === 0) break;
      last = rows.at(-1)?.id ?? last;
      const ids = rows.map(({ id }) => id);
      const prices = rows.map(({ data, quantity }) =>
        unitPriceOf(data, BigInt(quantity)),
      );
      await sql`
        update marketplace_orders set unit_price = read.price
        from unnest(${ids}::bigint[], ${prices}::numeric[]) as read (id, price)
        where marketplace_orders.id = read.id`.execute(database);
    }
    await sql`create index on marketplace_orders
      (collection_id, collectible_id, currency, maker,
        unit_price desc nulls last, id)
      where side = 'offer'`.execute(database);
  },
};

/** Returns the price, or null if the order's data does not contain it. */
function unitPriceOf(data: Hex, quantity: bigint): string | null {
  try {
    const [, { offer }] = decodeAbiParameters(orderTypes, data);
    const [payment = { startAmount: 0n, endAmount: 0n }] = offer;
    const { endAmount, startAmount } = payment;
    const price =
      (startAmount > endAmount ? startAmount : endAmount) / quantity;
    return price.toString();
  } catch {
    // Such an offer cannot be filled. It must not stop the upgrade.
    return null;
  }
}
