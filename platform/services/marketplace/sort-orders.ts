import type { Order, SortBy } from "../../../generated/marketplace/types.js";
import { refuseField } from "../request-fields.js";

/** The columns that orders can be sorted by, and how to read their values. */
const columns: Readonly<
  Record<string, (order: Order) => number | bigint | string>
> = {
  id: ({ id }) => id,
  collectionId: ({ collectionId }) => collectionId,
  orderId: ({ orderId }) => orderId,
  collectionContractAddress: (order) => order.collectionContractAddress,
  tokenId: ({ tokenId = "0" }) => BigInt(tokenId),
  createdBy: ({ createdBy }) => createdBy,
  priceAmount: ({ priceAmount }) => BigInt(priceAmount),
  priceAmountNet: ({ priceAmountNet }) => BigInt(priceAmountNet),
  priceCurrencyAddress: ({ priceCurrencyAddress }) => priceCurrencyAddress,
  priceUSD: ({ priceUSD }) => priceUSD,
  quantityInitial: ({ quantityInitial }) => BigInt(quantityInitial),
  quantityRemaining: ({ quantityRemaining }) => BigInt(quantityRemaining),
  quantityAvailable: ({ quantityAvailable }) => BigInt(quantityAvailable),
  feeBps: ({ feeBps }) => feeBps,
  // All times have the same format, and their alphabetical order is
  // chronological.
  validFrom: ({ validFrom }) => validFrom,
  validUntil: ({ validUntil }) => validUntil,
  createdAt: ({ createdAt }) => createdAt,
  updatedAt: ({ updatedAt }) => updatedAt,
  orderCreatedAt: ({ orderCreatedAt = "" }) => orderCreatedAt,
  orderUpdatedAt: ({ orderUpdatedAt = "" }) => orderUpdatedAt,
  blockNumber: ({ blockNumber }) => blockNumber,
  side: ({ side = "" }) => side,
  status: ({ status = "" }) => status,
};

/**
 * Sorts orders by columns, ascending by default. The sort is stable.
 *
 * Errors: `InvalidArgument` for a column that does not support sorting.
 */
export function sortOrders(
  orders: readonly Order[],
  sort: readonly SortBy[],
): readonly Order[] {
  const comparisons = sort.map(toComparison);
  return [...orders].sort((one, other) => {
    for (const compare of comparisons) {
      const difference = compare(one, other);
      if (difference !== 0) return difference;
    }
    return 0;
  });
}

function toComparison(
  { column, order = "ASC" }: SortBy,
  index: number,
): (one: Order, other: Order) => number {
  const read = Object.hasOwn(columns, column) ? columns[column] : undefined;
  if (read === undefined) {
    const names = Object.keys(columns).join(", ");
    const field = `page.sort[${index}].column`;
    throw refuseField(field, `one of ${names}`, column);
  }
  const direction = order === "ASC" ? 1 : -1;
  return (one, other) => {
    const [a, b] = [read(one), read(other)];
    return a < b ? -direction : a > b ? direction : 0;
  };
}
