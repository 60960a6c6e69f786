import { type Address, parseUnits, toHex, zeroHash } from "viem";
import { describe, expect, test } from "vitest";

import { fixtureCollectible } from "../../chain/artifacts/fixture-collectible.js";
import type { ChainWallet } from "../../chain/chain-wallet.js";
import { seaportAbi } from "../../seaport/abi.js";
import { makeListing, makeOffer } from "../../seaport/make-order.js";
import { ItemType, type OrderParameters } from "../../seaport/order.js";
import { approve, type TestMarket, toSigned } from "./open-market.js";

const price = parseUnits("10", 6);

/** Tests the life cycle of orders. */
export function testLives(current: () => TestMarket): void {
  /** Mints a token for the user and lists it on the chain. */
  const list = async (changes: Partial<OrderParameters> = {}) => {
    const { chain, mint, user, validate } = current();
    const { collectible, dollar } = chain.fixtures;
    const item = await mint(user);
    const maker = user.account.address;
    const terms = { maker, item, currency: dollar, price, changes };
    const parameters = makeListing(terms);
    const [orderId = zeroHash] = await validate(user, [parameters]);
    const read = () => current().read(collectible, orderId);
    return { item, orderId, parameters, read };
  };
  const write = (
    wallet: ChainWallet,
    functionName: "cancel" | "incrementCounter" | "fulfillOrder",
    args: readonly unknown[],
  ) =>
    wallet.writeContractSync({
      address: current().chain.fixtures.seaport,
      abi: seaportAbi as readonly unknown[],
      functionName,
      args,
      throwOnReceiptRevert: true,
    });

  describe("an order", () => {
    test("has all fields as soon as it is announced", async () => {
      const { chain, read } = current();
      const { collectible, dollar, listing, owner, user } = chain.fixtures;
      const lower = (address: Address) => address.toLowerCase();
      const order = await read(collectible, listing);
      const moments = ["createdAt", "updatedAt", "orderCreatedAt"] as const;
      for (const moment of moments) {
        const ms = Date.parse(order?.[moment] ?? "");
        expect(Math.abs(ms - Date.now())).toBeLessThan(300_000);
      }
      expect(order).toEqual({
        ...order,
        orderId: listing,
        chainId: chain.network.chainId,
        originName: "",
        collectionContractAddress: lower(collectible),
        createdBy: lower(user),
        priceAmount: "100000000",
        priceAmountFormatted: "100",
        priceAmountNet: "97500000",
        priceAmountNetFormatted: "97.5",
        priceCurrencyAddress: lower(dollar),
        priceDecimals: 6,
        priceUSD: 100,
        priceUSDFormatted: "100.00",
        quantityInitial: "1",
        quantityInitialFormatted: "1",
        quantityRemaining: "1",
        quantityRemainingFormatted: "1",
        quantityAvailable: "1",
        quantityAvailableFormatted: "1",
        quantityDecimals: 0,
        feeBps: 250,
        feeBreakdown: [
          { kind: "marketplace", recipientAddress: lower(owner), bps: 250 },
        ],
        validFrom: "2020-01-01T00:00:00.000Z",
        validUntil: "2100-01-01T00:00:00.000Z",
        tokenId: "1",
        orderUpdatedAt: order?.orderCreatedAt,
        marketplace: "opensea",
        source: "unknown",
        side: "listing",
        status: "active",
      });
    });

    test("has the same collectible ID as other orders for its token", async () => {
      const { chain, read } = current();
      const { collectible, listing, offer } = chain.fixtures;
      const order = await read(collectible, listing);
      const { collectibleId, collectionId } = order ?? {};
      expect(collectibleId).toEqual(expect.any(Number));
      const same = { collectibleId, collectionId };
      expect(await read(collectible, offer)).toMatchObject(same);
      const other = await (await list()).read();
      expect(other).toMatchObject({ collectionId });
      expect(other?.collectibleId).not.toBe(collectibleId);
    });

    test("is listed, filled by a buyer, and then reported as filled", async () => {
      const { chain, other } = current();
      const { collectible, dollar, seaport } = chain.fixtures;
      const { item, parameters, read } = await list();
      expect(await read()).toMatchObject({ status: "active" });
      await approve(other, dollar, seaport, price * 100n);
      await write(other, "fulfillOrder", [toSigned(parameters), zeroHash]);
      expect(await read()).toMatchObject({
        status: "filled",
        quantityRemaining: "0",
        quantityAvailable: "0",
      });
      const owner = await other.readContract({
        address: collectible,
        abi: fixtureCollectible.abi,
        functionName: "ownerOf",
        args: [item.tokenId],
      });
      expect(owner).toBe(other.account.address);
    });

    test("is canceled by its maker", async () => {
      const { user } = current();
      const { parameters, read } = await list();
      const before = await read();
      await write(user, "cancel", [[{ ...parameters, counter: 0n }]]);
      const after = await read();
      const cancelled = { status: "cancelled", quantityAvailable: "0" };
      expect(after).toMatchObject(cancelled);
      expect(Date.parse(after?.updatedAt ?? "")).toBeGreaterThan(
        Date.parse(before?.updatedAt ?? ""),
      );
    });

    test("is inactive before its start time and expired after its end time", async () => {
      const now = BigInt(Math.floor(Date.now() / 1000));
      const early = await list({ startTime: now + 3600n });
      expect(await early.read()).toMatchObject({
        status: "inactive",
        quantityAvailable: "0",
      });
      const late = await list({ endTime: now - 1n });
      expect(await late.read()).toMatchObject({
        status: "expired",
        quantityAvailable: "0",
        quantityRemaining: "1",
      });
    });

    test("can have an end time beyond the range of `Date`", async () => {
      const { read } = await list({ endTime: 2n ** 256n - 1n });
      expect(await read()).toMatchObject({
        status: "active",
        validUntil: "9999-12-31T23:59:59.000Z",
      });
    });

    test("is inactive while its maker does not have the token", async () => {
      const { chain, other, user } = current();
      const { collectible } = chain.fixtures;
      const { item, read } = await list();
      const move = (from: ChainWallet, to: ChainWallet) =>
        from.writeContractSync({
          address: collectible,
          abi: fixtureCollectible.abi,
          functionName: "transferFrom",
          args: [from.account.address, to.account.address, item.tokenId],
        });
      await move(user, other);
      expect(await read()).toMatchObject({
        status: "inactive",
        quantityRemaining: "1",
        quantityAvailable: "0",
      });
      await move(other, user);
      expect(await read()).toMatchObject({ status: "active" });
    });

    test("is canceled when its maker increments the counter, unlike later orders", async () => {
      const { other, chain, validate, read } = current();
      const { collectible, dollar, offer } = chain.fixtures;
      expect(await read(collectible, offer)).toMatchObject({
        status: "active",
      });
      await write(other, "incrementCounter", []);
      expect(await read(collectible, offer)).toMatchObject({
        status: "cancelled",
      });
      const itemType = ItemType.Erc721;
      const item = { itemType, token: collectible, tokenId: 1n, quantity: 1n };
      const terms = { maker: other.account.address, item, currency: dollar };
      const again = makeOffer({ ...terms, price });
      const [orderId = zeroHash] = await validate(other, [again]);
      expect(await read(collectible, orderId)).toMatchObject({
        status: "active",
        side: "offer",
      });
    });

    test("names the site that its maker used", async () => {
      const salt = BigInt(`0x360c6ebe${toHex(7n, { size: 28 }).slice(2)}`);
      const { read } = await list({ salt });
      const site = { originName: "opensea.io", source: "opensea" };
      expect(await read()).toMatchObject(site);
    });
  });
}
