import {
  type Address,
  concatHex,
  createTestClient,
  encodeDeployData,
  erc20Abi,
  http,
  maxUint256,
  parseEther,
  parseUnits,
  size,
  toFunctionSelector,
  toHex,
} from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { describe, expect, test } from "vitest";

import { InvalidArgumentError } from "../../../generated/errors.js";
import { fixtureItems } from "../../chain/artifacts/fixture-items.js";
import { fixtureSale } from "../../chain/artifacts/fixture-sale.js";
import { deployOnce } from "../../chain/chain-wallet.js";
import { approve, native, type TestMarket } from "./open-market.js";

const dollars = (amount: string): bigint => parseUnits(amount, 6);

/** Token 1 costs 5 dollars, and token 2 costs 10. */
const basket = [
  { tokenId: "1", quantity: "3" },
  { tokenId: "2", quantity: "1" },
];

/** Tests the payment options. */
export function testCheckout(current: () => TestMarket): void {
  const ask = async (
    wallet: Address,
    items: readonly { tokenId: string; quantity: string }[],
    contractAddress = current().chain.fixtures.sale,
    collectionAddress = current().chain.fixtures.items,
  ) => {
    const { client } = current();
    const { options } = await client.checkoutOptionsSalesContract({
      ...{ wallet, contractAddress, collectionAddress },
      items: [...items],
    });
    return options;
  };
  /** Creates a wallet with the given amounts of dollars and native currency. */
  const walletWith = async (dollar: bigint, ether: bigint) => {
    const address = privateKeyToAddress(generatePrivateKey());
    const { chain, other } = current();
    await other.writeContractSync({
      address: chain.fixtures.dollar,
      abi: erc20Abi,
      functionName: "transfer",
      args: [address, dollar],
    });
    await other.sendTransactionSync({ to: address, value: ether });
    return address;
  };
  const nothing = { swap: [], nftCheckout: [], onRamp: [] };

  describe("checkout", () => {
    test("reports how much the wallet's own currency covers", async () => {
      const enough = await walletWith(dollars("25"), 0n);
      expect(await ask(enough, basket)).toEqual({ ...nothing, crypto: "all" });
      const short = await walletWith(dollars("24.999999"), 0n);
      const partly = { ...nothing, crypto: "partially" };
      expect(await ask(short, basket)).toEqual(partly);
      const empty = await walletWith(0n, 0n);
      const none = { ...nothing, crypto: "none" };
      expect(await ask(empty, basket)).toEqual(none);
    });

    test("offers swaps from currencies that the wallet has to the one that it lacks", async () => {
      // One ether costs about 2000 dollars.
      const rich = await walletWith(0n, parseEther("0.02"));
      const swap = ["uniswap_v2"];
      const swapped = { ...nothing, swap, crypto: "none" };
      expect(await ask(rich, basket)).toEqual(swapped);
      const poor = await walletWith(0n, parseEther("0.005"));
      const none = { ...nothing, crypto: "none" };
      expect(await ask(poor, basket)).toEqual(none);
      // Together, the two amounts are enough.
      const both = await walletWith(dollars("20"), parseEther("0.005"));
      const together = { ...nothing, swap, crypto: "partially" };
      expect(await ask(both, basket)).toEqual(together);
    });

    test("uses the price that the sales contract charges", async () => {
      const { chain, user } = current();
      const { dollar, items, sale } = chain.fixtures;
      const wallet = user.account.address;
      expect(await ask(wallet, basket)).toMatchObject({ crypto: "all" });
      const buy = (most: bigint) =>
        user.writeContractSync({
          address: sale,
          abi: fixtureSale.abi,
          functionName: "mint",
          args: [wallet, [1n, 2n], [3n, 1n], "0x", dollar, most, []],
          throwOnReceiptRevert: true,
        });
      await approve(user, dollar, sale, dollars("25"));
      await expect(buy(dollars("24.999999"))).rejects.toThrow();
      const balance = () =>
        user.readContract({
          address: items,
          abi: fixtureItems.abi,
          functionName: "balanceOf",
          args: [wallet, 1n],
        });
      const before = await balance();
      await buy(dollars("25"));
      expect(await balance()).toBe(before + 3n);
    });

    test("supports free sales and sales for native currency", async () => {
      const { chain, owner } = current();
      const sale = await deployOnce(
        owner,
        encodeDeployData({
          ...fixtureSale,
          args: [chain.fixtures.items, native, parseEther("1"), [9n], [0n]],
        }),
      );
      const wallet = await walletWith(0n, parseEther("0.5"));
      const one = [{ tokenId: "1", quantity: "1" }];
      expect(await ask(wallet, one, sale)).toEqual({
        ...nothing,
        crypto: "partially",
      });
      const free = [{ tokenId: "9", quantity: "5" }];
      expect(await ask(wallet, free, sale)).toEqual({
        ...nothing,
        crypto: "all",
      });
    });

    const anvil = () =>
      createTestClient({
        mode: "anvil",
        transport: http(current().chain.rpcUrl),
      });
    /**
     * Deploys a contract that claims to sell the fixtures' items and answers
     * every other call with the same numbers.
     */
    const answering = async (address: Address, words: readonly bigint[]) => {
      const data = concatHex(words.map((word) => toHex(word, { size: 32 })));
      const length = toHex(size(data), { size: 2 });
      const selector = toFunctionSelector("itemsContract()");
      await anvil().setCode({
        address,
        bytecode: concatHex([
          ...(["0x5f3560e01c63", selector, "0x1461001c57"] as const),
          ...(["0x61", length, "0x6100385f3961", length, "0x5ff3"] as const),
          ...(["0x5b73", current().chain.fixtures.items] as const),
          ...(["0x5f5260205ff3", data] as const),
        ]),
      });
      return address;
    };
    const item = (tokenId: string, quantity: string) => [{ tokenId, quantity }];
    const all = { ...nothing, crypto: "all" };
    const partly = { ...nothing, crypto: "partially" };
    const none = { ...nothing, crypto: "none" };
    const later = 2n ** 40n;
    const place = "0x00000000000000000000000000000000000000a1";

    test("supports the other kinds of sales contracts", async () => {
      const wallet = await walletWith(0n, 21n);
      // Sells 5 tokens with IDs up to 9 for 7 each, in the native currency.
      const range = await answering(place, [0n, 9n, 7n, 5n, 0n, later, 0n]);
      expect(await ask(wallet, item("9", "3"), range)).toEqual(all);
      expect(await ask(wallet, item("9", "4"), range)).toEqual(partly);
      expect(await ask(wallet, item("10", "1"), range)).toEqual(none);
      // Sells all tokens for 7 each.
      const collection = await answering(place, [0n, 7n, 0n, 0n, later, 0n]);
      expect(await ask(wallet, item("1", "3"), collection)).toEqual(all);
      expect(await ask(wallet, item("1", "4"), collection)).toEqual(partly);
    });

    test("limits sales to the remaining supply", async () => {
      const wallet = await walletWith(0n, 100n);
      const range = await answering(place, [0n, 9n, 7n, 5n, 0n, later, 0n]);
      expect(await ask(wallet, item("9", "5"), range)).toEqual(all);
      expect(await ask(wallet, item("9", "6"), range)).toEqual(none);
      const both = [...item("8", "3"), ...item("9", "3")];
      expect(await ask(wallet, both, range)).toEqual(none);
      const twice = [...item("9", "3"), ...item("9", "3")];
      expect(await ask(wallet, twice, range)).toEqual(none);
      // The contract also returns the supply when it is asked for the currency,
      // so only a price of zero can be paid.
      const collection = await answering(place, [4096n, 0n, 0n, 0n, later, 0n]);
      expect(await ask(wallet, item("1", "4096"), collection)).toEqual(all);
      expect(await ask(wallet, item("1", "4097"), collection)).toEqual(none);
    });

    test("offers neither sales for another collection nor sales with an allowlist", async () => {
      const { collectible, sale } = current().chain.fixtures;
      const wallet = await walletWith(dollars("5"), 100n);
      expect(await ask(wallet, item("1", "1"))).toEqual(all);
      const other = await ask(wallet, item("1", "1"), sale, collectible);
      expect(other).toEqual(none);
      const listed = await answering(place, [0n, 7n, 0n, 0n, later, 1n]);
      expect(await ask(wallet, item("1", "1"), listed)).toEqual(none);
    });

    test("offers no sale in the second in which the sale ends", async () => {
      const wallet = await walletWith(0n, 100n);
      const { timestamp } = await current().owner.getBlock();
      const now = BigInt(Math.floor(Date.now() / 1000));
      const end = (timestamp > now ? timestamp : now) + 1000n;
      await answering(place, [0n, 7n, 0n, 0n, end, 0n]);
      await anvil().setNextBlockTimestamp({ timestamp: end });
      await anvil().mine({ blocks: 1 });
      expect(await ask(wallet, item("1", "1"), place)).toEqual(none);
      await answering(place, [0n, 7n, 0n, 0n, end + 100n, 0n]);
      expect(await ask(wallet, item("1", "1"), place)).toEqual(all);
    });

    test("lists card providers if the settings name them", async () => {
      const { on, chain } = current();
      const { items, sale, user } = chain.fixtures;
      const sold = {
        wallet: user,
        contractAddress: sale,
        collectionAddress: items,
      };
      const client = on("with-cards");
      const [one] = basket.map(async (item) =>
        client.checkoutOptionsSalesContract({ ...sold, items: [item] }),
      );
      expect((await one)?.options).toMatchObject({
        nftCheckout: ["sardine"],
        onRamp: ["transak"],
      });
      const several = { ...sold, items: basket };
      const { options } = await client.checkoutOptionsSalesContract(several);
      // Card providers sell one item at a time.
      expect(options.nftCheckout).toEqual([]);
      expect(options.onRamp).toEqual(["transak"]);
    });

    test("offers nothing if the contract is not a sales contract", async () => {
      const { chain } = current();
      const { collectible, user } = chain.fixtures;
      const none = { ...nothing, crypto: "none" };
      expect(await ask(user, basket, collectible)).toEqual(none);
      expect(await ask(user, basket, user)).toEqual(none);
    });

    test("rejects numbers that are not valid token IDs", async () => {
      const { user } = current().chain.fixtures;
      const tokenId = (maxUint256 + 1n).toString();
      const failure = await ask(user, [{ tokenId, quantity: "1" }]).catch(
        (reason: unknown) => reason,
      );
      expect(failure).toBeInstanceOf(InvalidArgumentError);
      expect(failure).toMatchObject({
        cause: `items[0].tokenId: expected a number of at most 256 bits, got "${tokenId}"`,
      });
      const much = maxUint256.toString();
      const item = { tokenId: "1", quantity: much };
      expect(await ask(user, [item, item])).toMatchObject({
        ...nothing,
        crypto: "partially",
      });
    });
  });
}
