import {
  concatHex,
  createTestClient,
  http,
  pad,
  parseAbi,
  parseEventLogs,
  toHex,
  zeroHash,
} from "viem";
import { describe, expect, test } from "vitest";

import { fixtureCollectible } from "../../chain/artifacts/fixture-collectible.js";
import { fixtureItems } from "../../chain/artifacts/fixture-items.js";
import { seaportAbi } from "../../seaport/abi.js";
import { makeListing } from "../../seaport/make-order.js";
import { ItemType, OrderType } from "../../seaport/order.js";
import { priceAt } from "../../services/marketplace/price.js";
import { toTrade } from "../../services/marketplace/book/trade.js";
import { native, type TestMarket, toSigned } from "./open-market.js";

export const conduitAdminAbi = parseAbi([
  "function createConduit(bytes32 conduitKey, address initialOwner) returns (address conduit)",
  "function updateChannel(address conduit, address channel, bool isOpen)",
  "function getConduit(bytes32 conduitKey) view returns (address conduit, bool exists)",
]);

/** Tests orders with unusual properties. */
export function testKinds(current: () => TestMarket): void {
  describe("an order", () => {
    test("is filled in parts, up to the quantity that its maker has", async () => {
      const { chain, other, user, validate, read } = current();
      const { items, seaport } = chain.fixtures;
      const setApproval = async (isAllowed: boolean) => {
        await user.writeContractSync({
          address: items,
          abi: fixtureItems.abi,
          functionName: "setApprovalForAll",
          args: [seaport, isAllowed],
        });
      };
      await setApproval(true);
      const maker = user.account.address;
      const itemType = ItemType.Erc1155;
      const item = { itemType, token: items, tokenId: 1n, quantity: 20n };
      const parameters = makeListing({
        ...{ maker, item, currency: native, price: 2_000n },
        changes: { orderType: OrderType.PartialOpen },
      });
      const [orderId = zeroHash] = await validate(user, [parameters]);
      const announced = await user.getBlockNumber({ cacheTime: 0 });
      const before = await read(items, orderId);
      expect(before).toMatchObject({
        status: "active",
        blockNumber: Number(announced),
        priceAmount: "100",
        priceDecimals: 18,
        quantityInitial: "20",
        quantityInitialFormatted: "20",
        quantityRemaining: "20",
        quantityRemainingFormatted: "20",
        // The user has 10 items.
        quantityAvailable: "10",
        quantityAvailableFormatted: "10",
      });
      const part = { ...toSigned(parameters), numerator: 1n, denominator: 4n };
      const anvil = createTestClient({
        mode: "anvil",
        transport: http(chain.rpcUrl),
      });
      await anvil.increaseTime({ seconds: 5 });
      const { blockHash } = await other.writeContractSync({
        address: seaport,
        abi: seaportAbi,
        functionName: "fulfillAdvancedOrder",
        args: [{ ...part, extraData: "0x" }, [], zeroHash, native],
        value: 500n,
        throwOnReceiptRevert: true,
      });
      const { timestamp } = await user.getBlock({ blockHash });
      const left = {
        quantityInitialFormatted: "20",
        quantityRemaining: "15",
        quantityRemainingFormatted: "15",
        quantityAvailable: "5",
        orderCreatedAt: before?.orderCreatedAt,
        orderUpdatedAt: new Date(Number(timestamp) * 1000).toISOString(),
      };
      expect(await read(items, orderId)).toMatchObject(left);
      await setApproval(false);
      const none = { ...left, status: "inactive", quantityAvailable: "0" };
      expect(await read(items, orderId)).toMatchObject(none);
    });

    test("costs what the contract currently charges in an auction", async () => {
      const { chain, mint, user, other, validate, read } = current();
      const { collectible, owner, seaport } = chain.fixtures;
      const item = await mint(user);
      const now = BigInt(Math.floor(Date.now() / 1000));
      const terms = { maker: user.account.address, item, currency: native };
      const fees = [{ recipient: owner, amount: 10_007n }];
      const start = makeListing({ ...terms, price: 1_000_003n, fees });
      const parameters = {
        ...start,
        // The price falls in steps that do not divide evenly.
        consideration: start.consideration.map((each) => ({
          ...each,
          endAmount: each.startAmount / 3n,
        })),
        startTime: now - 1000n,
        endTime: now + 1013n,
      };
      const [orderId = zeroHash] = await validate(user, [parameters]);
      const price = Number((await read(collectible, orderId))?.priceAmount);
      expect(price).toBeGreaterThan(600_000);
      expect(price).toBeLessThan(700_000);
      const { blockNumber, logs } = await other.writeContractSync({
        address: seaport,
        abi: seaportAbi,
        functionName: "fulfillOrder",
        args: [toSigned(parameters), zeroHash],
        value: 1_000_003n,
        throwOnReceiptRevert: true,
      });
      const [filled] = parseEventLogs({
        abi: seaportAbi,
        logs,
        eventName: "OrderFulfilled",
      });
      const { timestamp } = await other.getBlock({ blockNumber });
      const trade = toTrade(parameters);
      if (trade === null) throw new Error("the order has no price");
      const { eachNet, fees: shares } = priceAt(parameters, trade, timestamp);
      const paid = [eachNet, ...shares.map(({ amount }) => amount)];
      expect(filled?.args.consideration.map(({ amount }) => amount)).toEqual(
        paid,
      );
    });

    test("may use a conduit that its maker chose", async () => {
      const { chain, mint, user, validate, read } = current();
      const { collectible, seaport } = chain.fixtures;
      const conduitKey = concatHex([
        user.account.address,
        toHex(1n, { size: 12 }),
      ]);
      const maker = user.account.address;
      const terms = {
        maker,
        item: await mint(user),
        currency: native,
        price: 10n,
      };
      const changes = { conduitKey };
      // This conduit does not exist yet, and `validate` does not check for it.
      const [orderId = zeroHash] = await validate(user, [
        makeListing({ ...terms, changes }),
      ]);
      const order = () => read(collectible, orderId);
      expect(await order()).toMatchObject({ status: "inactive" });
      const [, , controller] = await user.readContract({
        address: seaport,
        abi: seaportAbi,
        functionName: "information",
      });
      const conduits = { address: controller, abi: conduitAdminAbi } as const;
      await user.writeContractSync({
        ...conduits,
        functionName: "createConduit",
        args: [conduitKey, maker],
        throwOnReceiptRevert: true,
      });
      const [conduit] = await user.readContract({
        ...conduits,
        functionName: "getConduit",
        args: [conduitKey],
      });
      await user.writeContractSync({
        address: collectible,
        abi: fixtureCollectible.abi,
        functionName: "approve",
        args: [conduit, terms.item.tokenId],
      });
      expect(await order()).toMatchObject({ status: "inactive" });
      await user.writeContractSync({
        ...conduits,
        functionName: "updateChannel",
        args: [conduit, seaport, true],
        throwOnReceiptRevert: true,
      });
      expect(await order()).toMatchObject({ status: "active" });
    });

    test("separates royalties from other fees, and supports currencies without decimals", async () => {
      const { chain, mint, other, read, user, validate } = current();
      const { owner, walletFactory } = chain.fixtures;
      // The contract returns the owner for every call.
      const collection = "0x00000000000000000000000000000000000000d1";
      const code = concatHex(["0x7f", pad(owner), "0x5f5260405ff3"]);
      const client = createTestClient({
        mode: "anvil",
        transport: http(chain.rpcUrl),
      });
      await client.setCode({ address: collection, bytecode: code });
      const maker = user.account.address;
      const item = { ...(await mint(user)), token: collection } as const;
      const terms = { maker, item, currency: walletFactory, price: 1000n };
      const fees = [
        { recipient: owner, amount: 50n },
        { recipient: other.account.address, amount: 25n },
      ];
      const [orderId = zeroHash] = await validate(user, [
        makeListing({ ...terms, fees }),
      ]);
      expect(await read(collection, orderId)).toMatchObject({
        status: "decimals_missing",
        priceAmountFormatted: "1000",
        priceAmountNet: "925",
        feeBps: 750,
        feeBreakdown: [
          { kind: "royalty", bps: 500 },
          { kind: "marketplace", bps: 250 },
        ],
      });
    });
  });
}
