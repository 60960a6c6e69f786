import type { Order } from "../../generated/index.js";

/** The properties that differ between the offers in the example. */
export interface DemoOffer {
  readonly orderId: string;
  readonly tokenId: string;
  /** The price in US cents. */
  readonly cents: number;
  readonly createdBy: string;
}

/** All offers in the example. */
export const demoOffers: readonly DemoOffer[] = [
  {
    orderId: "offer-1",
    tokenId: "1",
    cents: 150,
    createdBy: "0x1111111111111111111111111111111111111111",
  },
  {
    orderId: "offer-2",
    tokenId: "1",
    cents: 275,
    createdBy: "0x2222222222222222222222222222222222222222",
  },
  {
    orderId: "offer-3",
    tokenId: "2",
    cents: 90,
    createdBy: "0x1111111111111111111111111111111111111111",
  },
];

const feeBps = 200;

/** Creates an order from an offer, for any collection and chain. */
export function createDemoOrder(
  offer: DemoOffer,
  collection: string,
  chainId: number,
): Order {
  const netCents = offer.cents * (1 - feeBps / 10_000);
  const dollars = (cents: number): string => (cents / 100).toFixed(4);
  const baseUnits = (cents: number): string => String(Math.round(cents * 1e4));
  const createdAt = "2026-01-01T00:00:00.000Z";
  const id = demoOffers.indexOf(offer) + 1;
  return {
    id,
    collectionId: 1,
    orderId: offer.orderId,
    chainId,
    originName: "example.com",
    collectionContractAddress: collection.toLowerCase(),
    createdBy: offer.createdBy,
    priceAmount: baseUnits(offer.cents),
    priceAmountFormatted: dollars(offer.cents),
    priceAmountNet: baseUnits(netCents),
    priceAmountNetFormatted: dollars(netCents),
    priceCurrencyAddress: "0x3c499c542cef5e3811e1192ce70d8cc03d5c3359",
    priceDecimals: 6,
    priceUSD: offer.cents / 100,
    priceUSDFormatted: dollars(offer.cents),
    quantityInitial: "1",
    quantityInitialFormatted: "1",
    quantityRemaining: "1",
    quantityRemainingFormatted: "1",
    quantityAvailable: "1",
    quantityAvailableFormatted: "1",
    quantityDecimals: 0,
    feeBps,
    feeBreakdown: [
      {
        kind: "royalty",
        recipientAddress: "0x3333333333333333333333333333333333333333",
        bps: feeBps,
      },
    ],
    validFrom: createdAt,
    validUntil: "2036-01-01T00:00:00.000Z",
    blockNumber: 1_000_000 + id,
    createdAt,
    updatedAt: createdAt,
    tokenId: offer.tokenId,
    orderCreatedAt: createdAt,
    orderUpdatedAt: createdAt,
    marketplace: "sequence_marketplace_v2",
    source: "sequence_marketplace_v2",
    side: "offer",
    status: "active",
  };
}
