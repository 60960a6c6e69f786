import { BaseError, zeroHash } from "viem";
import { expect, onTestFinished, test } from "vitest";

import type { Order } from "../../../generated/marketplace/types.js";
import { fixtureCollectible } from "../../chain/artifacts/fixture-collectible.js";
import { isRefusal } from "../../network/read-chain.js";
import { seaportAbi } from "../../seaport/abi.js";
import type { Item } from "../../seaport/make-order.js";
import { ItemType } from "../../seaport/order.js";
import { priceAt } from "../../services/marketplace/price.js";
import { toTrade } from "../../services/marketplace/book/trade.js";
import { createRandom } from "../crash/random.js";
import { native, openMarket, toSigned } from "./open-market.js";
import {
  type BookParts,
  changeBook,
  drawItem,
  drawOffers,
  openBook,
  type RandomOffer,
} from "./random-book.js";

const books = Number(process.env["RIDLKIT_BOOKS"] ?? 3);
const changesPerBook = 12;
const seed = Number(process.env["RIDLKIT_SEED"] ?? Date.now() % 1e9);

/** Returns whether the offer is for any token of its collection. */
function isForAny({ parameters }: RandomOffer): boolean {
  const [wanted] = parameters.consideration;
  return wanted !== undefined && wanted.itemType >= ItemType.Erc721Criteria;
}

/** Returns the user's call that fills a quantity of an offer. */
function fillOf(
  { market: { chain } }: BookParts,
  { tokenId: identifier }: Item,
  offer: RandomOffer,
  units: bigint,
) {
  const { parameters } = offer;
  const [wanted] = parameters.consideration;
  const place = { orderIndex: 0n, side: 1, index: 0n, identifier };
  const part = {
    ...toSigned(parameters),
    ...{ numerator: units, denominator: wanted?.startAmount ?? 1n },
    extraData: "0x",
  } as const;
  const resolvers = isForAny(offer) ? [{ ...place, criteriaProof: [] }] : [];
  return {
    ...{ address: chain.fixtures.seaport, abi: seaportAbi },
    functionName: "fulfillAdvancedOrder",
    args: [part, resolvers, zeroHash, native],
  } as const;
}

/** Returns whether the chain would fill a quantity of an offer now. */
async function canFill(
  parts: BookParts,
  item: Item,
  offer: RandomOffer,
  units: bigint,
): Promise<boolean> {
  try {
    await parts.market.user.simulateContract(fillOf(parts, item, offer, units));
    return true;
  } catch (error) {
    if (error instanceof BaseError && isRefusal(error)) return false;
    throw error;
  }
}

/** Returns all quantities up to a limit. */
function upTo(quantity: bigint): readonly bigint[] {
  return Array.from({ length: Number(quantity) }, (_, index) =>
    BigInt(index + 1),
  );
}

/**
 * Checks that the highest offer can be filled in its available quantity but in
 * no larger one, and that no better offer can be filled. Output: the highest
 * offer, or null.
 */
async function expectHighest(
  parts: BookParts,
  item: Item,
  offers: ReadonlyMap<string, RandomOffer>,
): Promise<Order | null> {
  const { client, user } = parts.market;
  const { order } = await client.getHighestPriceOfferForCollectible({
    contractAddress: item.token,
    tokenId: item.tokenId.toString(),
  });
  const describe = (id: string | undefined): string =>
    JSON.stringify([item, id, id && offers.get(id)?.parameters], (_, value) =>
      typeof value === "bigint" ? value.toString() : value,
    );
  if (order !== null) {
    const offer = offers.get(order.orderId);
    if (offer === undefined) throw new Error(describe(order.orderId));
    const available = BigInt(order.quantityAvailable);
    for (const units of upTo(BigInt(order.quantityRemaining))) {
      if (units < available) continue;
      const isFilled = await canFill(parts, item, offer, units);
      const text = `${units} of ${describe(order.orderId)}`;
      expect(isFilled, text).toBe(units === available);
    }
  }
  const { timestamp } = await user.getBlock();
  for (const [id, offer] of offers) {
    const trade = offer.isSupported ? toTrade(offer.parameters) : null;
    if (trade?.collection !== item.token || id === order?.orderId) continue;
    const { each } = priceAt(offer.parameters, trade, timestamp);
    const isSame = trade.currency.toLowerCase() === order?.priceCurrencyAddress;
    const isBetter = isSame && each > BigInt(order.priceAmount);
    if (order !== null && !isBetter) continue;
    for (const units of upTo(trade.quantity)) {
      const isFilled = await canFill(parts, item, offer, units);
      expect(isFilled, `${units} of ${describe(id)}`).toBe(false);
    }
  }
  return order;
}

/** Fills the available quantity of the highest offer. */
async function fillHighest(
  parts: BookParts,
  item: Item,
  offers: ReadonlyMap<string, RandomOffer>,
  order: Order,
): Promise<void> {
  const offer = offers.get(order.orderId);
  if (offer === undefined) throw new Error("the offer is unknown");
  const { settle, user } = parts.market;
  const units = BigInt(order.quantityAvailable);
  await user.writeContractSync({
    ...fillOf(parts, item, offer, units),
    throwOnReceiptRevert: true,
  });
  if (item.itemType === ItemType.Erc721) {
    // Return the token, so that other offers can be filled.
    const maker = offer.maker.account.address;
    await offer.maker.writeContractSync({
      address: item.token,
      abi: fixtureCollectible.abi,
      functionName: "transferFrom",
      args: [maker, user.account.address, item.tokenId],
      throwOnReceiptRevert: true,
    });
  }
  await settle();
}

test(
  `each highest offer of ${books} random books can be filled (seed ${seed})`,
  { timeout: 60_000 + books * 60_000 },
  async () => {
    const market = await openMarket();
    onTestFinished(() => market.stop());
    const random = createRandom(seed);
    const parts = await openBook(market, random);
    const offers = new Map<string, RandomOffer>();
    let found = 0;
    let empty = 0;
    for (let book = 0; book < books; book += 1) {
      const item = await drawItem(parts);
      const addOffers = async (count: number): Promise<void> => {
        const drawn = await drawOffers(parts, item, count);
        for (const [id, offer] of drawn) offers.set(id, offer);
      };
      // Offers for any token remain in the next book.
      for (const [id, offer] of offers) if (!isForAny(offer)) offers.delete(id);
      await addOffers(8);
      for (let change = 0; change < changesPerBook; change += 1) {
        const order = await expectHighest(parts, item, offers);
        if (order === null) empty += 1;
        else found += 1;
        const chance = random();
        if (chance < 0.2 || offers.size < 16) {
          await addOffers(4);
        } else if (order !== null && chance < 0.6) {
          await fillHighest(parts, item, offers, order);
        } else {
          await changeBook(parts, offers);
        }
      }
    }
    console.log(`seed ${seed}: ${found} offers found, ${empty} empty results`);
    expect(found).toBeGreaterThan(0);
  },
);
