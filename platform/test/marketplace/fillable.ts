import {
  createTestClient,
  http,
  parseUnits,
  toHex,
  zeroAddress,
  zeroHash,
} from "viem";
import { describe, expect, test } from "vitest";

import type { Order } from "../../../generated/marketplace/types.js";
import { fixtureItems } from "../../chain/artifacts/fixture-items.js";
import { seaportAbi } from "../../seaport/abi.js";
import { type Item, makeOffer } from "../../seaport/make-order.js";
import {
  ItemType,
  type OrderParameters,
  OrderType,
} from "../../seaport/order.js";
import { approve, native, type TestMarket, toSigned } from "./open-market.js";

const dollars = (amount: string): bigint => parseUnits(amount, 6);

type Change = (order: OrderParameters) => Partial<OrderParameters>;

const giving =
  (change: object): Change =>
  ({ offer }) => ({ offer: offer.map((each) => ({ ...each, ...change })) });
const wanting =
  (change: object): Change =>
  ({ consideration: [wanted, ...fees] }) => ({
    consideration: wanted ? [{ ...wanted, ...change }, ...fees] : [],
  });

/**
 * Changes to an offer. Each changed offer is funded and has a higher price, but
 * Seaport does not fill it.
 */
export const traps: Readonly<Record<string, Change>> = {
  "two of the same token": wanting({ startAmount: 2n, endAmount: 2n }),
  "a currency with a token ID": giving({ identifierOrCriteria: 7n }),
  "a native currency": giving({ itemType: ItemType.Native }),
  "a token of the other standard": wanting({ itemType: ItemType.Erc1155 }),
  "any token of the other standard": wanting({
    itemType: ItemType.Erc1155Criteria,
    identifierOrCriteria: 0n,
  }),
  "a token without a recipient": wanting({ recipient: zeroAddress }),
  "a zero fee": ({ consideration }) => ({
    consideration: [
      ...consideration,
      {
        ...{ itemType: ItemType.Erc20, identifierOrCriteria: 0n },
        ...{ startAmount: 0n, endAmount: 0n },
        token: consideration[1]?.token ?? zeroAddress,
        recipient: consideration[1]?.recipient ?? zeroAddress,
      },
    ],
    totalOriginalConsiderationItems: BigInt(consideration.length + 1),
  }),
  "an endless auction": (order) => ({
    ...giving({ endAmount: dollars("98") })(order),
    endTime: 2n ** 256n - 1n,
  }),
};

/** Checks that the highest offer can be filled. */
export function testFillable(current: () => TestMarket): void {
  const highest = async ({ token, tokenId }: Item): Promise<Order | null> => {
    const { client } = current();
    const { order } = await client.getHighestPriceOfferForCollectible({
      contractAddress: token,
      tokenId: tokenId.toString(),
    });
    return order;
  };
  /** Makes offers from the other account. Output: the offers by ID. */
  const make = async (item: Item, all: readonly OrderParameters[]) => {
    const { chain, other, validate } = current();
    const { dollar, seaport } = chain.fixtures;
    await approve(other, dollar, seaport, dollars("10000"));
    // Cancel the offers that earlier tests left behind.
    await other.writeContractSync({
      ...{ address: seaport, abi: seaportAbi },
      functionName: "incrementCounter",
    });
    const salted = all.map((order, index) => ({
      ...order,
      salt: BigInt(toHex(`${item.tokenId} ${index}`)),
    }));
    const ids = await validate(other, salted);
    return new Map(salted.map((order, index) => [ids[index] ?? "", order]));
  };
  /**
   * Simulates filling the highest offer and cancels it, until none is left.
   * Output: the offers, in this order.
   */
  const fillAll = async (
    item: Item,
    offers: ReadonlyMap<string, OrderParameters>,
  ): Promise<readonly string[]> => {
    const { chain, other, user } = current();
    const { seaport } = chain.fixtures;
    const write = { address: seaport, abi: seaportAbi } as const;
    const counter = await other.readContract({
      ...{ ...write, functionName: "getCounter" },
      args: [other.account.address],
    });
    const filled: string[] = [];
    for (;;) {
      const order = await highest(item);
      if (order === null) return filled;
      const parameters = offers.get(order.orderId);
      if (parameters === undefined) throw new Error("the offer is unknown");
      const part = {
        ...toSigned(parameters),
        numerator: BigInt(order.quantityAvailable),
        denominator: BigInt(order.quantityInitial),
      };
      const isAny = parameters.consideration[0]?.identifierOrCriteria === 0n;
      const identifier = item.tokenId;
      const place = { orderIndex: 0n, side: 1, index: 0n, identifier };
      const resolvers = isAny ? [{ ...place, criteriaProof: [] }] : [];
      await user.simulateContract({
        ...write,
        functionName: "fulfillAdvancedOrder",
        args: [{ ...part, extraData: "0x" }, resolvers, zeroHash, native],
      });
      filled.push(`${order.priceAmountFormatted} × ${order.quantityAvailable}`);
      await other.writeContractSync({
        ...{ ...write, functionName: "cancel" },
        args: [[{ ...parameters, counter }]],
      });
    }
  };
  const fees = () => [
    { recipient: current().owner.account.address, amount: dollars("1") },
  ];

  describe("the highest offer that can be filled", () => {
    test("is found for a token among many offers that cannot be filled", async () => {
      const { chain, mint, other, user } = current();
      const { dollar, seaport } = chain.fixtures;
      const item = await mint(user);
      await approve(user, dollar, seaport, dollars("10000"));
      const terms = { maker: other.account.address, currency: dollar };
      const offerOf = (price: string, wanted = item) =>
        makeOffer({
          ...terms,
          item: wanted,
          price: dollars(price),
          fees: fees(),
        });
      const any = { ...item, itemType: ItemType.Erc721Criteria, tokenId: 0n };
      const base = offerOf("90");
      const bad = Object.values(traps).map((change) => ({
        ...base,
        ...change(base),
      }));
      const good = [offerOf("10"), offerOf("30"), offerOf("20", any)];
      const offers = await make(item, [...bad, ...good]);
      expect(await fillAll(item, offers)).toEqual([
        "30 × 1",
        "20 × 1",
        "10 × 1",
      ]);
    });

    test("uses the time of a chain whose clock is ahead", async () => {
      const { chain, mint, other, user } = current();
      const { dollar } = chain.fixtures;
      const item = await mint(user);
      const maker = other.account.address;
      const now = BigInt(Math.floor(Date.now() / 1000));
      const price = dollars("40");
      const auction = makeOffer({ maker, item, currency: dollar, price });
      const offers = await make(item, [
        makeOffer({ maker, item, currency: dollar, price: dollars("50") }),
        {
          ...{ ...auction, startTime: now - 10n, endTime: now + 10_000n },
          ...giving({ endAmount: dollars("60") })(auction),
        },
      ]);
      const client = createTestClient({
        mode: "anvil",
        transport: http(chain.rpcUrl),
      });
      await client.increaseTime({ seconds: 8000 });
      await client.mine({ blocks: 1 });
      const [first, second] = await fillAll(item, offers);
      expect(first).toMatch(/^56\./u);
      expect(second).toBe("50 × 1");
    });

    test("has the largest quantity for which its price divides evenly", async () => {
      const { chain, other, owner, user } = current();
      const { dollar, items, seaport } = chain.fixtures;
      const [tokenId, quantity] = [77n, 12n];
      await owner.writeContractSync({
        ...{ address: items, abi: fixtureItems.abi, functionName: "mint" },
        args: [user.account.address, tokenId, quantity],
        throwOnReceiptRevert: true,
      });
      await user.writeContractSync({
        ...{ address: items, abi: fixtureItems.abi },
        functionName: "setApprovalForAll",
        args: [seaport, true],
      });
      const item = {
        itemType: ItemType.Erc1155,
        token: items,
        tokenId,
        quantity,
      };
      const terms = { maker: other.account.address, item, currency: dollar };
      const offerOf = (units: bigint) =>
        makeOffer({
          ...{ ...terms, price: units, fees: [] },
          changes: { orderType: OrderType.PartialOpen },
        });
      const offers = await make(
        item,
        [12_000n, 18_000n, 20_000n, 24_001n].map(offerOf),
      );
      // Enough for 9 of the second and 8.1 of the third, but not for the whole
      // last offer.
      await approve(other, dollar, seaport, 13_500n);
      expect(await fillAll(item, offers)).toEqual([
        "0.001666 × 6",
        "0.0015 × 9",
        "0.001 × 12",
      ]);
    });
  });
}
