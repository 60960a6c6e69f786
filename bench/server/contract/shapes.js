/**
 * The messages of `orders.ridl` and `types-alone.ridl` for the notations that
 * are written in JavaScript: the kind of each field's value, with `?` if the
 * field is optional.
 */
export const sides = ["unknown", "listing", "offer"];
export const statuses = [
  "unknown",
  "active",
  "inactive",
  "expired",
  "cancelled",
  "filled",
];
export const addressPattern = "^0x[0-9a-fA-F]{40}$";
export const amountPattern = "^[0-9]+$";

const shapes = {
  FeeBreakdown: { kind: "text", recipientAddress: "address", bps: "count" },
  Order: {
    id: "count",
    collectionId: "count",
    orderId: "text",
    chainId: "count",
    originName: "text",
    collectionContractAddress: "address",
    createdBy: "address",
    priceAmount: "amount",
    priceAmountFormatted: "text",
    priceAmountNet: "amount",
    priceAmountNetFormatted: "text",
    priceCurrencyAddress: "address",
    priceDecimals: "count",
    priceUSD: "number",
    priceUSDFormatted: "text",
    quantityInitial: "amount",
    quantityInitialFormatted: "text",
    quantityRemaining: "amount",
    quantityRemainingFormatted: "text",
    quantityAvailable: "amount",
    quantityAvailableFormatted: "text",
    quantityDecimals: "count",
    feeBps: "count",
    feeBreakdown: "list of FeeBreakdown",
    validFrom: "time",
    validUntil: "time",
    blockNumber: "count",
    createdAt: "time",
    updatedAt: "time",
    "collectibleId?": "count",
    "tokenId?": "amount",
    "orderCreatedAt?": "time",
    "side?": "side",
    "status?": "status",
  },
  OrderRef: {
    contractAddress: "address",
    orderId: "reference",
    "marketplace?": "text",
  },
  OrderTypes: {
    contractAddress: "text",
    orderId: "text",
    "marketplace?": "text",
  },
  GetOrdersTypes: { input: "list of OrderTypes" },
  GetPriceTypes: { contractAddress: "text", tokenId: "text" },
  GetOrdersRequest: { input: "list of OrderRef" },
  GetOrdersResponse: { orders: "list of Order" },
  GetPriceRequest: { contractAddress: "address", tokenId: "amount" },
  GetPriceResponse: { amount: "amount", currency: "text", decimals: "count" },
  Created: {
    kind: "constant created",
    orderId: "text",
    createdBy: "text",
    price: "number",
  },
  Filled: {
    kind: "constant filled",
    orderId: "text",
    taker: "text",
    quantity: "number",
    "transaction?": "text",
  },
  Cancelled: { kind: "constant cancelled", orderId: "text", "reason?": "text" },
  Expired: { kind: "constant expired", orderId: "text", validUntil: "text" },
  RecordFilledRequest: { events: "list of Filled" },
  RecordRequest: { events: "list of Event" },
};

/** The types of an event, which its field `kind` tells apart. */
const unions = { Event: ["Created", "Filled", "Cancelled", "Expired"] };

/** Maximum length of a list in a request. */
export const maxItems = 1_000;

/**
 * Describes a message in another notation.
 *
 * Input: its name, and how the notation writes an object of fields (`[name,
 * value, isOptional]`), a list with its limit, a text that is always the same, a
 * union of objects whose field `kind` tells them apart, and every other kind.
 */
export function describe(name, notation) {
  const { constant, list, object, union, value } = notation;
  const variants = unions[name];
  if (variants) return union(variants.map((each) => describe(each, notation)));
  const fields = Object.entries(shapes[name]).map(([key, kind]) => {
    const [, item] = /^list of (.+)$/u.exec(kind) ?? [];
    const [, text] = /^constant (.+)$/u.exec(kind) ?? [];
    const limit = item === "OrderRef" ? maxItems : null;
    const written = item
      ? list(describe(item, notation), limit)
      : text
        ? constant(text)
        : value(kind);
    return [key.replace("?", ""), written, key.endsWith("?")];
  });
  return object(fields);
}
