import { expect, test } from "vitest";

import { readMoment } from "../../network/moment.js";
import { makeOffer } from "../../seaport/make-order.js";
import { ItemType } from "../../seaport/order.js";
import type { Offer } from "../../services/marketplace/book/find-orders.js";
import { toTrade } from "../../services/marketplace/book/trade.js";
import { getHighestPriceOffer } from "../../services/marketplace/get-highest-offer.js";
import { createMarket } from "../../services/marketplace/market.js";
import { servePlatform } from "../support/serve-platform.js";
import { openTestDatabase } from "../support/test-database.js";
import { addressOf, createStubChain, hashOf } from "./stub-chain.js";

const database = await openTestDatabase();
const { platform } = servePlatform(database);
const [collection, currency] = [addressOf(4), addressOf(5)];

/** Creates 100 offers of each of some makers, those of the same maker in a row. */
function makeOffers(makers: number): readonly Offer[] {
  return Array.from({ length: 100 * makers }, (_, id) => {
    const parameters = makeOffer({
      maker: addressOf(1000 + Math.floor(id / 100)),
      item: {
        ...{ itemType: ItemType.Erc721, token: collection },
        ...{ tokenId: 1n, quantity: 1n },
      },
      ...{ currency, price: BigInt(1_000_000 - id) },
    });
    const trade = toTrade(parameters) ?? expect.unreachable();
    return { id, hash: hashOf(id), parameters, trade, hasCounter: () => true };
  });
}

test("reads the funds of many makers together, not those of each offer", async () => {
  const { asked, network, state } = createStubChain();
  state.answer = 0n;
  const known = createMarket(platform);
  const offers = makeOffers(100);
  const market = {
    ...known,
    orders: { ...known.orders, offers: () => Promise.resolve(offers) },
    readMoment: async () => ({
      ...(await readMoment(network)),
      isFollowed: true,
    }),
  };
  const request = {
    ...{ contractAddress: collection, tokenId: "1" },
    filter: { currencies: [currency] },
  };
  const find = () => getHighestPriceOffer(market, network, request);
  expect(await find()).toEqual({ order: null });
  // Each of the 100 balances and allowances is one of 50 calls in a request.
  expect(asked.calls.length).toBeLessThan(10);
  expect(await find()).toEqual({ order: null });
  expect(asked.calls.length).toBeLessThan(10);
});
