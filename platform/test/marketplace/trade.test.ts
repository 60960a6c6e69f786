import { type Address, maxUint256, zeroAddress } from "viem";
import { expect, test } from "vitest";

import { makeListing, makeOffer } from "../../seaport/make-order.js";
import {
  ItemType,
  type OfferItem,
  type OrderParameters,
} from "../../seaport/order.js";
import { isFillableAt, priceAt } from "../../services/marketplace/price.js";
import { toTrade } from "../../services/marketplace/book/trade.js";

const maker: Address = "0x00000000000000000000000000000000000000a1";
const other: Address = "0x00000000000000000000000000000000000000a2";
const token: Address = "0x00000000000000000000000000000000000000b1";
const coin: Address = "0x00000000000000000000000000000000000000c1";
const item = {
  ...{ itemType: ItemType.Erc1155, token },
  ...{ tokenId: 7n, quantity: 3n },
};
const terms = { maker, item, currency: coin, price: 100n };
const fees = [{ recipient: other, amount: 10n }];
const listing = makeListing({ ...terms, fees });
const offer = makeOffer({ ...terms, fees });

test("a listing and an offer have one price each", () => {
  expect(toTrade(listing)).toMatchObject({
    ...{ side: "listing", standard: "ERC1155", collection: token },
    ...{ tokenId: 7n, quantity: 3n, currency: coin },
  });
  expect(toTrade(offer)).toMatchObject({ side: "offer", tokenId: 7n });
  const [asked, bid] = [listing, offer].map((order) => {
    const trade = toTrade(order);
    return trade === null ? null : priceAt(order, trade, 0n);
  });
  // A listing's price per item is rounded up, and an offer's is rounded down.
  expect(asked).toMatchObject({ total: 100n, each: 34n, eachNet: 30n });
  expect(bid).toMatchObject({ total: 100n, each: 33n, eachNet: 30n });
});

test("the price of an auction changes linearly from start to end", () => {
  const order: OrderParameters = {
    ...offer,
    offer: offer.offer.map((each) => ({ ...each, endAmount: 400n })),
    ...{ startTime: 1000n, endTime: 1300n },
  };
  const trade = toTrade(order);
  const at = (time: bigint) => trade && priceAt(order, trade, time).total;
  expect([0n, 1000n, 1100n, 1150n, 1299n, 1300n, 9999n].map(at)).toEqual([
    ...[100n, 100n, 200n, 250n, 399n],
    ...[400n, 400n],
  ]);
});

/** Changes the items of the listing. */
const giving = (changes: Partial<OfferItem>): Partial<OrderParameters> => ({
  offer: listing.offer.map((each) => ({ ...each, ...changes })),
});
/** Changes the second payment of the listing. */
const paying = (changes: Partial<OfferItem>): Partial<OrderParameters> => ({
  consideration: listing.consideration.map((each, index) =>
    index === 1 ? { ...each, ...changes } : each,
  ),
});

test.each<[string, Partial<OrderParameters>]>([
  ["no offered item", { offer: [] }],
  ["a bundle", { offer: [...listing.offer, ...listing.offer] }],
  ["no payment", { consideration: [] }],
  [
    "another token as its payment",
    { consideration: offer.consideration.slice(0, 1) },
  ],
  ["two currencies", paying({ token: other })],
  [
    "a currency and the native one",
    paying({ itemType: ItemType.Native, token: zeroAddress }),
  ],
  [
    "payments of more than 256 bits in total",
    paying({ startAmount: maxUint256, endAmount: maxUint256 }),
  ],
  ["a quantity that changes over time", giving({ endAmount: 9n })],
  ["no quantity", giving({ startAmount: 0n, endAmount: 0n })],
  [
    "any token of a collection for sale",
    giving({ itemType: ItemType.Erc1155Criteria, identifierOrCriteria: 0n }),
  ],
  ["a zero payment to a recipient", paying({ startAmount: 0n, endAmount: 0n })],
  ["a currency with a token ID", paying({ identifierOrCriteria: 1n })],
  [
    "several units of one ERC-721 token",
    giving({ itemType: ItemType.Erc721, startAmount: 3n, endAmount: 3n }),
  ],
  [
    "a payment without a recipient",
    {
      consideration: listing.consideration.map((each) => ({
        ...each,
        recipient: zeroAddress,
      })),
    },
  ],
  [
    "a native currency that names a contract",
    {
      consideration: listing.consideration.map((each) => ({
        ...each,
        itemType: ItemType.Native,
      })),
    },
  ],
  ["a restricted order", { orderType: 2 }],
  ["a restricted partial order", { orderType: 3 }],
  ["a contract order", { orderType: 4 }],
])("an order with %s has no price", (_, changes) => {
  expect(toTrade({ ...listing, ...changes })).toBeNull();
});

test("an offer with fees that exceed it has no price", () => {
  const much = [{ recipient: other, amount: 101n }];
  expect(toTrade(makeOffer({ ...terms, fees: much }))).toBeNull();
  const all = [{ recipient: other, amount: 100n }];
  expect(toTrade(makeOffer({ ...terms, fees: all }))).not.toBeNull();
});

test("an offer for a list of tokens has no price", () => {
  const some = { ...item, itemType: ItemType.Erc1155Criteria };
  expect(toTrade(makeOffer({ ...terms, item: some }))).toBeNull();
  const any = makeOffer({ ...terms, item: { ...some, tokenId: 0n } });
  expect(toTrade(any)).toMatchObject({ tokenId: null });
});

test("an offer of native currency has no price, whichever contract it names", () => {
  for (const token of [zeroAddress, coin]) {
    const items = [...offer.offer, ...offer.consideration.slice(1)].map(
      (each) => ({ ...each, itemType: ItemType.Native, token }),
    );
    const [given, ...paid] = items;
    const [wanted] = offer.consideration;
    if (given === undefined || wanted === undefined)
      throw new Error("no items");
    const consideration = [
      wanted,
      ...paid.map((each) => ({ ...each, recipient: other })),
    ];
    expect(toTrade({ ...offer, offer: [given], consideration })).toBeNull();
  }
});

test.each([
  { price: 100n, fee: 10n, step: 3n },
  { price: 99n, fee: 10n, step: 3n },
  { price: 99n, fee: 30n, step: 1n },
])(
  "an order of 3 for $price with a fee of $fee is filled in steps of $step",
  ({ price, fee, step }) => {
    const inParts = makeOffer({
      ...terms,
      price,
      fees: [{ recipient: other, amount: fee }],
      changes: { orderType: 1 },
    });
    expect(toTrade(inParts)?.step).toBe(step);
    expect(toTrade({ ...inParts, orderType: 0 })?.step).toBe(3n);
  },
);

test("an auction is not filled while an item's amount is zero or overflows", () => {
  const rising = (endAmount: bigint, endTime: bigint): OrderParameters => ({
    ...offer,
    offer: offer.offer.map((each) => ({ ...each, startAmount: 0n, endAmount })),
    consideration: offer.consideration.slice(0, 1),
    ...{ startTime: 1000n, endTime },
  });
  const isFillable = (order: OrderParameters, time: bigint, units = 3n) => {
    const trade = toTrade(order);
    return trade && isFillableAt(order, trade, time, units);
  };
  const short = rising(300n, 1300n);
  expect([1000n, 1001n].map((time) => isFillable(short, time))).toEqual([
    false,
    true,
  ]);
  // A part's amount can be zero even if the whole amount is not.
  expect(isFillable(rising(3n, 1300n), 1100n)).toBe(true);
  expect(isFillable(rising(3n, 1300n), 1100n, 1n)).toBe(false);
  expect(isFillable(rising(2n ** 200n, 2n ** 60n), 2000n)).toBe(false);
});
