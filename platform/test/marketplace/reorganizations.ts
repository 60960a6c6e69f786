import { parseUnits, zeroHash } from "viem";
import { describe, expect, test } from "vitest";

import { seaportAbi } from "../../seaport/abi.js";
import { makeListing } from "../../seaport/make-order.js";
import { expectFreshStart } from "./fresh-start.js";
import type { TestMarket } from "./open-market.js";
import { rewind } from "./rewind.js";

/** Tests what happens when blocks are removed. */
export function testReorganizations(current: () => TestMarket): void {
  const listing = async () => {
    const { chain, mint, user } = current();
    const item = await mint(user);
    const maker = user.account.address;
    const currency = chain.fixtures.dollar;
    const price = parseUnits("7", 6);
    return makeListing({ maker, item, currency, price });
  };

  describe("the removal of blocks", () => {
    test("removes the orders in these blocks", async () => {
      const { chain, read, user, validate } = current();
      const { collectible } = chain.fixtures;
      const order = await listing();
      let orderId: string = zeroHash;
      await rewind(current(), async () => {
        [orderId = zeroHash] = await validate(user, [order]);
        expect(await read(collectible, orderId)).not.toBeNull();
      });
      expect(await read(collectible, orderId)).toBeNull();
      // The order can be announced again, and the platform finds it again.
      expect(await validate(user, [order])).toEqual([orderId]);
      expect(await read(collectible, orderId)).toMatchObject({
        status: "active",
      });
    });

    test("undoes the order events in these blocks", async () => {
      const { chain, read, user, validate } = current();
      const { collectible, seaport } = chain.fixtures;
      const order = await listing();
      const [orderId = zeroHash] = await validate(user, [order]);
      const before = await read(collectible, orderId);
      const counter = await user.readContract({
        address: seaport,
        abi: seaportAbi,
        functionName: "getCounter",
        args: [user.account.address],
      });
      await rewind(current(), async () => {
        await user.writeContractSync({
          address: seaport,
          abi: seaportAbi,
          functionName: "cancel",
          args: [[{ ...order, counter }]],
        });
        expect(await read(collectible, orderId)).toMatchObject({
          status: "cancelled",
        });
      });
      expect(await read(collectible, orderId)).toMatchObject({
        status: "active",
        orderUpdatedAt: before?.orderUpdatedAt,
      });
    });

    test("leaves the same order book as a fresh start", () =>
      expectFreshStart(current(), 1));
  });
}
