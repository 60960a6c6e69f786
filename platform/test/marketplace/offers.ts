import { sql } from "kysely";
import {
  type Address,
  encodeDeployData,
  parseEther,
  parseUnits,
  zeroHash,
} from "viem";
import { describe, expect, onTestFinished, test, vi } from "vitest";

import { fixtureCoin } from "../../chain/artifacts/fixture-coin.js";
import { wrappedNative } from "../../chain/artifacts/wrapped-native.js";
import { type ChainWallet, deployOnce } from "../../chain/chain-wallet.js";
import { seaportAbi } from "../../seaport/abi.js";
import { type Item, makeOffer } from "../../seaport/make-order.js";
import { ItemType, type OrderParameters } from "../../seaport/order.js";
import { approve, type TestMarket, toSigned } from "./open-market.js";

const dollars = (amount: string): bigint => parseUnits(amount, 6);

/** Tests the highest offer. */
export function testOffers(current: () => TestMarket): void {
  const offer = async (
    wallet: ChainWallet,
    item: Item,
    currency: Address,
    price: bigint,
    changes: Partial<OrderParameters> = {},
  ) => {
    const { chain, validate } = current();
    await approve(wallet, currency, chain.fixtures.seaport, price * 100n);
    const maker = wallet.account.address;
    const parameters = makeOffer({ maker, item, currency, price, changes });
    const [orderId = zeroHash] = await validate(wallet, [parameters]);
    return { orderId, parameters };
  };
  const highest = async (
    { token, tokenId }: Item,
    filter?: {
      readonly createdBy?: Address[];
      readonly currencies?: Address[];
      readonly marketplace?: string[];
    },
  ) => {
    const { order } = await current().client.getHighestPriceOfferForCollectible(
      {
        contractAddress: token,
        tokenId: tokenId.toString(),
        ...(filter && { filter }),
      },
    );
    return order?.orderId ?? null;
  };

  describe("the highest offer", () => {
    test("is the highest in dollars, whatever the currency", async () => {
      const { chain, mint, other, owner, user } = current();
      const { dollar, gold } = chain.fixtures;
      const wrapped = chain.fixtures.wrappedNative;
      const item = await mint(user);
      expect(await highest(item)).toBeNull();
      const low = await offer(other, item, dollar, dollars("30"));
      expect(await highest(item)).toBe(low.orderId);
      // About 40 dollars in each currency.
      const inGold = await offer(other, item, gold, parseEther("0.02"));
      expect(await highest(item)).toBe(inGold.orderId);
      await owner.writeContractSync({
        address: wrapped,
        abi: wrappedNative.abi,
        functionName: "deposit",
        value: parseEther("1"),
      });
      const inEther = await offer(owner, item, wrapped, parseEther("0.03"));
      expect(await highest(item)).toBe(inEther.orderId);
      const high = await offer(other, item, dollar, dollars("70"));
      expect(await highest(item)).toBe(high.orderId);

      const { account } = owner;
      const found = await Promise.all([
        highest(item, { createdBy: [account.address] }),
        highest(item, { currencies: [gold] }),
        highest(item, { currencies: [gold, wrapped] }),
        highest(item, { createdBy: [], currencies: [], marketplace: [] }),
        highest(item, { marketplace: ["blur", "opensea"] }),
        highest(item, { marketplace: ["blur"] }),
        highest(item, { createdBy: [user.account.address] }),
      ]);
      expect(found).toEqual([
        ...[inEther.orderId, inGold.orderId, inEther.orderId],
        ...[high.orderId, high.orderId, null, null],
      ]);
    });

    test("can be filled", async () => {
      const { chain, mint, other, user } = current();
      const { dollar, gold, seaport } = chain.fixtures;
      const item = await mint(user);
      const now = BigInt(Math.floor(Date.now() / 1000));
      const good = await offer(other, item, dollar, dollars("20"));
      const write = { address: seaport, abi: seaportAbi } as const;
      // The three offers that follow this one have higher prices but cannot be
      // filled.
      const better = await offer(other, item, dollar, dollars("40"));
      await offer(other, item, dollar, dollars("1000000"));
      await offer(other, item, dollar, dollars("50"), { endTime: now - 1n });
      await offer(other, item, dollar, dollars("60"), {
        startTime: now + 3600n,
      });
      const taken = await offer(user, item, gold, parseEther("5"));
      expect(await highest(item)).toBe(taken.orderId);
      const counter = await user.readContract({
        ...write,
        functionName: "getCounter",
        args: [user.account.address],
      });
      await user.writeContractSync({
        ...write,
        functionName: "cancel",
        args: [[{ ...taken.parameters, counter }]],
      });
      expect(await highest(item)).toBe(better.orderId);
      await user.writeContractSync({
        ...write,
        functionName: "fulfillOrder",
        args: [toSigned(better.parameters), zeroHash],
        throwOnReceiptRevert: true,
      });
      // The token has a new owner, but offers for it remain.
      expect(await highest(item)).toBe(good.orderId);
    });

    test("needs no contract call in the next block if no maker can pay", async () => {
      const { chain, mint, owner, user, other, validate } = current();
      const { gold, seaport } = chain.fixtures;
      const item = await mint(user);
      await approve(other, gold, seaport, 0n);
      const maker = other.account.address;
      const prices = Array.from({ length: 30 }, (_, index) =>
        BigInt(index + 1),
      );
      const offers = prices.map((price) =>
        makeOffer({ maker, item, currency: gold, price }),
      );
      await validate(other, offers);
      expect(await highest(item)).toBeNull();
      const fetched = vi.spyOn(globalThis, "fetch");
      onTestFinished(() => fetched.mockRestore());
      await owner.sendTransactionSync({ to: maker, value: 1n });
      fetched.mockClear();
      expect(await highest(item)).toBeNull();
      const asked = fetched.mock.calls.map(([, init]) => String(init?.body));
      expect(asked.some((body) => body.includes("eth_getLogs"))).toBe(true);
      expect(asked.filter((body) => body.includes("eth_call"))).toEqual([]);
    });

    test("can be filled as soon as its maker has the money", async () => {
      const { chain, mint, other, owner, user } = current();
      const { seaport } = chain.fixtures;
      const item = await mint(user);
      const maker = other.account.address;
      const args = [owner.account.address, "New Coin", "NEW", 6] as const;
      const coin = await deployOnce(
        owner,
        encodeDeployData({ ...fixtureCoin, args }),
      );
      const low = await offer(other, item, coin, 1n);
      const high = await offer(other, item, coin, dollars("5"));
      await owner.writeContractSync({
        address: coin,
        abi: fixtureCoin.abi,
        functionName: "mint",
        args: [maker, 1n],
      });
      expect(await highest(item)).toBe(low.orderId);
      expect(await highest(item)).toBe(low.orderId);
      await owner.writeContractSync({
        address: coin,
        abi: fixtureCoin.abi,
        functionName: "mint",
        args: [maker, dollars("5")],
      });
      expect(await highest(item)).toBe(high.orderId);
      await approve(other, coin, seaport, dollars("4"));
      expect(await highest(item)).toBe(low.orderId);
      await approve(other, coin, seaport, dollars("5"));
      expect(await highest(item)).toBe(high.orderId);
    });

    test("may be for any token of the collection", async () => {
      const { chain, mint, other, user } = current();
      const { dollar } = chain.fixtures;
      const item = await mint(user);
      const itemType = ItemType.Erc721Criteria;
      const any = { ...item, itemType, tokenId: 0n };
      const { orderId } = await offer(other, any, dollar, dollars("3"));
      expect(await highest(item)).toBe(orderId);
      const order = await current().read(item.token, orderId);
      expect(order?.tokenId).toBeUndefined();
      expect(order?.collectibleId).toBeUndefined();
      const single = await offer(other, item, dollar, dollars("4"));
      expect(await highest(item)).toBe(single.orderId);
      // Offers for a list of tokens do not count.
      const some = { ...any, tokenId: 12345n };
      const { orderId: unknown } = await offer(other, some, dollar, 9n);
      expect(await current().read(item.token, unknown)).toBeNull();
    });

    test("is in a currency with a known price if any offer is", async () => {
      const { chain, mint, owner, user } = current();
      const { dollar } = chain.fixtures;
      const item = await mint(user);
      // Anyone can create a currency.
      const maker = owner.account.address;
      const args = [maker, "Million Dollars", "MIO", 18] as const;
      const coin = await deployOnce(
        owner,
        encodeDeployData({ ...fixtureCoin, args }),
      );
      await owner.writeContractSync({
        address: coin,
        abi: fixtureCoin.abi,
        functionName: "mint",
        args: [maker, parseEther("1000")],
      });
      const odd = await offer(owner, item, coin, parseEther("1000"));
      expect(await highest(item)).toBe(odd.orderId);
      expect(await current().read(item.token, odd.orderId)).toMatchObject({
        priceUSD: 0,
        status: "active",
      });
      const known = await offer(owner, item, dollar, 1n);
      expect(await highest(item)).toBe(known.orderId);
    });

    test("is found behind 500 older and higher offers of a maker without funds", async () => {
      const { chain, database, mint, other, owner, user } = current();
      const { dollar, seaport } = chain.fixtures;
      const item = await mint(user);
      const worthless = await offer(owner, item, dollar, dollars("900"));
      await approve(owner, dollar, seaport, 0n);
      await sql`
        insert into marketplace_orders (chain_id, contract, order_hash,
          collection_id, collectible_id, side, maker, currency, quantity, data,
          ends_at, block_number, log_index, mined_at, unit_price)
        select chain_id, contract, order_hash || '-' || number, collection_id,
          collectible_id, side, maker, currency, quantity, data, ends_at,
          block_number, log_index, mined_at, unit_price
        from marketplace_orders, generate_series(1, 500) as number
        where order_hash = ${worthless.orderId}`.execute(database);
      const copies = sql`
        delete from marketplace_orders
        where order_hash like ${`${worthless.orderId}-%`}`;
      onTestFinished(async () => void (await copies.execute(database)));
      const { orderId } = await offer(other, item, dollar, dollars("5"));
      expect(await highest(item)).toBe(orderId);
    });

    test("is ranked by its price per item and limited to the quantity that its maker can pay for", async () => {
      const { chain, other, read } = current();
      const { dollar, items, seaport } = chain.fixtures;
      const itemType = ItemType.Erc1155;
      const item = { itemType, token: items, tokenId: 2n, quantity: 10n };
      const ten = await offer(other, item, dollar, dollars("100"), {
        orderType: 1,
      });
      const one = { ...item, quantity: 1n };
      const better = await offer(other, one, dollar, dollars("11"));
      expect(await highest(item)).toBe(better.orderId);
      await approve(other, dollar, seaport, dollars("35"));
      expect(await read(items, ten.orderId)).toMatchObject({
        priceAmountFormatted: "10",
        quantityRemaining: "10",
        quantityAvailable: "3",
      });
    });
  });
}
