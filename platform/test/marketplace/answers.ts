import { parseUnits } from "viem";
import { describe, expect, test } from "vitest";

import type { MarketplaceClient } from "../../../generated/marketplace/client.js";
import type { Page } from "../../../generated/marketplace/types.js";
import {
  InvalidArgumentError,
  UnavailableError,
  WebrpcBadRouteError,
} from "../../../generated/errors.js";
import { makeListing } from "../../seaport/make-order.js";
import type { TestMarket } from "./open-market.js";

/** Tests the content of responses, and failing requests. */
export function testAnswers(current: () => TestMarket): void {
  const calls = (client: MarketplaceClient) => {
    const { collectible, items, listing, sale, user } =
      current().chain.fixtures;
    const contractAddress = collectible;
    return [
      client.getOrders({ input: [{ contractAddress, orderId: listing }] }),
      client.getHighestPriceOfferForCollectible({
        contractAddress,
        tokenId: "1",
      }),
      client.checkoutOptionsSalesContract({
        wallet: user,
        contractAddress: sale,
        collectionAddress: items,
        items: [{ tokenId: "1", quantity: "1" }],
      }),
    ];
  };
  const failuresOf = (answers: readonly Promise<unknown>[]) =>
    Promise.all(
      answers.map((answer) =>
        answer.then(
          () => null,
          (reason: unknown) => reason,
        ),
      ),
    );

  describe("responses", () => {
    test("are split into pages and sorted", async () => {
      const { chain, client, mint, user, validate } = current();
      const { collectible, dollar } = chain.fixtures;
      const maker = user.account.address;
      const prices = ["3", "1", "2", "1"].map((price) => parseUnits(price, 6));
      const orders = [];
      for (const price of prices) {
        const item = await mint(user);
        orders.push(makeListing({ maker, item, currency: dollar, price }));
      }
      const ids = await validate(user, orders);
      const read = async (page?: Page) => {
        const answer = await client.getOrders({
          // The request lists each order twice, in reverse and in a different
          // letter case. Each order is returned once.
          input: [...ids, ...ids].reverse().map((orderId) => ({
            contractAddress: collectible.toUpperCase().replace("X", "x"),
            orderId,
          })),
          ...(page && { page }),
        });
        const found = answer.orders.map(({ orderId }) =>
          ids.findIndex((id) => id === orderId),
        );
        return { found, page: answer.page };
      };
      const first = { page: 1, pageSize: 30, more: false };
      expect(await read()).toEqual({ found: [0, 1, 2, 3], page: first });
      expect(await read({ page: 1, pageSize: 3 })).toEqual({
        found: [0, 1, 2],
        page: { page: 1, pageSize: 3, more: true },
      });
      expect(await read({ page: 2, pageSize: 3 })).toMatchObject({
        found: [3],
        page: { more: false },
      });
      expect(await read({ page: 3, pageSize: 3 })).toMatchObject({
        found: [],
        page: { more: false },
      });
      const far = { page: Number.MAX_SAFE_INTEGER, pageSize: 100 };
      expect(await read(far)).toMatchObject({ found: [] });
      const sort = [
        { column: "priceAmount", order: "DESC" as const },
        { column: "id", order: "DESC" as const },
      ];
      expect(await read({ page: 1, pageSize: 2, sort })).toEqual({
        found: [0, 2],
        page: { page: 1, pageSize: 2, sort, more: true },
      });
      expect(await read({ page: 2, pageSize: 2, sort })).toMatchObject({
        found: [3, 1],
      });
      const upwards = [{ column: "priceUSD" }];
      expect(await read({ page: 1, pageSize: 9, sort: upwards })).toMatchObject(
        { found: [1, 3, 2, 0] },
      );
    });

    test("contain exactly the requested orders", async () => {
      const { chain, client } = current();
      const { collectible, items, listing, offer } = chain.fixtures;
      const ask = async (
        ...input: { contractAddress: string; orderId: string }[]
      ) => {
        const { orders } = await client.getOrders({ input });
        return orders.map(({ orderId }) => orderId);
      };
      const there = { contractAddress: collectible, orderId: listing };
      const opensea = { ...there, marketplace: "opensea" };
      const elsewhere = { ...there, marketplace: "blur" };
      const unknown = { ...there, orderId: "unknown" };
      const wrong = { contractAddress: items, orderId: listing };
      expect(await ask(there, unknown, wrong)).toEqual([listing]);
      expect(await ask(opensea)).toEqual([listing]);
      expect(await ask(elsewhere, wrong, unknown)).toEqual([]);
      expect(await ask()).toEqual([]);
      expect(await ask({ ...there, orderId: offer }, there)).toEqual([
        listing,
        offer,
      ]);
    });

    test("are errors if the request is invalid", async () => {
      const { client, chain } = current();
      const { collectible } = chain.fixtures;
      const failures = await failuresOf([
        client.getOrders({
          input: [],
          page: { page: 1, pageSize: 1, sort: [{ column: "constructor" }] },
        }),
        client.getOrders({ input: [], page: { page: 0, pageSize: 30 } }),
        client.getOrders({ input: [], page: { page: 1, pageSize: 101 } }),
        client.getOrders({
          input: [{ contractAddress: "0x12", orderId: "1" }],
        }),
        client.getHighestPriceOfferForCollectible({
          contractAddress: collectible,
          tokenId: "0x1",
        }),
        client.getHighestPriceOfferForCollectible({
          contractAddress: collectible,
          tokenId: "9".repeat(78),
        }),
      ]);
      for (const failure of failures) {
        expect(failure).toBeInstanceOf(InvalidArgumentError);
      }
    });

    test("are errors on unknown networks", async () => {
      for (const failure of await failuresOf(calls(current().on("nowhere")))) {
        expect(failure).toBeInstanceOf(WebrpcBadRouteError);
        expect(failure).toMatchObject({ status: 404 });
      }
      const { client, chain } = current();
      const byId = calls(current().on(String(chain.network.chainId)));
      expect(await Promise.all(byId)).toEqual(await Promise.all(calls(client)));
    });

    test("are errors if the platform does not follow orders on the network", async () => {
      const [orders, offer] = await failuresOf(
        calls(current().on("no-market")),
      );
      expect(orders).toBeInstanceOf(UnavailableError);
      expect(offer).toBeInstanceOf(UnavailableError);
    });

    test("are errors while the chain does not respond", async () => {
      const { chain, client, on } = current();
      const silent = ["unreachable", "unknown-address"].flatMap((handle) =>
        calls(on(handle)),
      );
      for (const failure of await failuresOf(silent)) {
        expect(failure).toBeInstanceOf(UnavailableError);
      }
      await chain.stop();
      // The last answers remain valid for a few seconds.
      const fail = expect.toSatisfy(
        (failure) => failure instanceof UnavailableError,
      );
      await expect
        .poll(() =>
          failuresOf([...calls(client), client.getOrders({ input: [] })]),
        )
        .toEqual([fail, fail, fail, fail]);
    });
  });
}
