import { parseUnits, zeroHash } from "viem";
import { describe, expect, test } from "vitest";

import { createFixtureAccounts } from "../../chain/accounts.js";
import { signOrder } from "../../chain/seed-orders.js";
import { seaportAbi } from "../../seaport/abi.js";
import { makeOffer } from "../../seaport/make-order.js";
import { hashOrder, ItemType } from "../../seaport/order.js";
import type { RunningPlatform } from "./running.js";

/** Tests the service on the `marketplace` host. */
export function testMarketplace(running: () => RunningPlatform): void {
  describe("Marketplace", () => {
    test("lists an offer once it is validated on the chain, and reports when it is filled", async () => {
      const { client, ready, user } = running();
      const { collectible, dollar, listing, offer, seaport } = ready.fixtures;
      const { other } = createFixtureAccounts();
      const statuses = async (...orderIds: readonly string[]) => {
        const { orders } = await client.marketplace.getOrders({
          input: orderIds.map((orderId) => ({
            ...{ contractAddress: collectible, orderId },
          })),
        });
        return orders.map(({ side, status }) => `${side} ${status}`);
      };
      const highest = async () => {
        const { order } =
          await client.marketplace.getHighestPriceOfferForCollectible({
            ...{ contractAddress: collectible, tokenId: "1" },
          });
        return order?.orderId;
      };
      const before = ["listing active", "offer active"];
      expect(await statuses(listing, offer)).toEqual(before);
      expect(await highest()).toBe(offer);
      const parameters = makeOffer({
        maker: other.address,
        item: {
          ...{ itemType: ItemType.Erc721, token: collectible },
          ...{ tokenId: 1n, quantity: 1n },
        },
        currency: dollar,
        price: parseUnits("90", 6),
      });
      const better = hashOrder(parameters, 0n);
      const order = {
        parameters,
        signature: await signOrder(user, seaport, parameters, other),
      };
      const contract = { address: seaport, abi: seaportAbi } as const;
      await user.writeContractSync({
        ...contract,
        functionName: "validate",
        args: [[order]],
      });
      await expect.poll(highest).toBe(better);
      await user.writeContractSync({
        ...contract,
        functionName: "fulfillOrder",
        args: [order, zeroHash],
      });
      await expect.poll(highest).toBe(offer);
      await expect.poll(() => statuses(better)).toEqual(["offer filled"]);
      // The listed token has been sold.
      const sold = ["listing inactive"];
      await expect.poll(() => statuses(listing)).toEqual(sold);
    });

    test("shows how a wallet can pay", async () => {
      const { client, ready } = running();
      const { items, other, sale } = ready.fixtures;
      const { options } = await client.marketplace.checkoutOptionsSalesContract(
        {
          ...{ wallet: other, contractAddress: sale, collectionAddress: items },
          items: [{ tokenId: "1", quantity: "2" }],
        },
      );
      expect(options).toMatchObject({ crypto: "all", swap: ["uniswap_v2"] });
    });
  });
}
