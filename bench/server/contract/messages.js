/** The orders that `GetOrders` returns. */

const orders = Array.from({ length: 1_000 }, (_, index) => createOrder(index));

/** The handler of `GetOrders` in every server. */
export function getOrders({ input }) {
  return {
    orders:
      input.length === orders.length ? orders : orders.slice(0, input.length),
  };
}

const price = {
  amount: "12500000000000000",
  currency: "USDC",
  decimals: 6,
};

/** The handler of `GetPrice` in every server. */
export function getPrice() {
  return price;
}

/** The handlers by method name. */
export const handlers = { GetOrders: getOrders, GetPrice: getPrice };

/** Returns a request for this many orders. */
export function ordersRequest(count) {
  return {
    input: Array.from({ length: count }, (_, index) => ({
      contractAddress: addressOf(index),
      orderId: `order-${index}`,
      marketplace: "sequence_marketplace_v2",
    })),
  };
}

/** A request of `GetPrice`. */
export const priceRequest = { contractAddress: addressOf(7), tokenId: "1155" };

/** The key that servers accept. */
export const accessKey = "AQAAAAAAAJbd_5JOcE50AqglZCtvu51YlGI";

function addressOf(index) {
  return `0x${(index + 1).toString(16).padStart(40, "4fA0b7")}`;
}

function createOrder(index) {
  const day = String((index % 28) + 1).padStart(2, "0");
  const amount = `${index + 1}250000000000000000`;
  return {
    id: 90_000 + index,
    collectionId: 1_200 + (index % 7),
    orderId: `order-${index}`,
    chainId: 137,
    originName: "market.example.com",
    collectionContractAddress: addressOf(index),
    createdBy: addressOf(index * 31),
    priceAmount: amount,
    priceAmountFormatted: `${index + 1}.25`,
    priceAmountNet: amount,
    priceAmountNetFormatted: `${index + 1}.25`,
    priceCurrencyAddress: addressOf(3),
    priceDecimals: 18,
    priceUSD: 1.25 + index,
    priceUSDFormatted: `${1.25 + index}`,
    quantityInitial: "10",
    quantityInitialFormatted: "10",
    quantityRemaining: "7",
    quantityRemainingFormatted: "7",
    quantityAvailable: "7",
    quantityAvailableFormatted: "7",
    quantityDecimals: 0,
    feeBps: 250,
    feeBreakdown: [
      { kind: "royalty", recipientAddress: addressOf(9), bps: 250 },
    ],
    validFrom: `2026-01-${day}T12:00:00.000Z`,
    validUntil: `2026-02-${day}T12:00:00.000Z`,
    blockNumber: 52_000_000 + index,
    createdAt: `2026-01-${day}T12:00:01.000Z`,
    updatedAt: `2026-01-${day}T12:00:02.000Z`,
    collectibleId: 500_000 + index,
    tokenId: `${index * 17}`,
    orderCreatedAt: `2026-01-${day}T11:59:59.000Z`,
    side: index % 2 === 0 ? "listing" : "offer",
    status: "active",
  };
}
