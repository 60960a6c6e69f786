import {
  type Address,
  concatHex,
  createTestClient,
  encodeDeployData,
  erc20Abi,
  type Hex,
  http,
  maxUint256,
  parseEther,
  parseUnits,
  size,
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

/** Token 1 costs 5 dollars, token 2 costs 10. */
const basket = [
  { tokenId: "1", quantity: "3" },
  { tokenId: "2", quantity: "1" },
];

/** The ways to pay. */
export function testCheckout(current: () => TestMarket): void {
  const ask = async (
    wallet: Address,
    items: readonly { tokenId: string; quantity: string }[],
    contractAddress = current().chain.fixtures.sale,
  ) => {
    const { chain, client } = current();
    const collectionAddress = chain.fixtures.items;
    const { options } = await client.checkoutOptionsSalesContract({
      ...{ wallet, contractAddress, collectionAddress },
      items: [...items],
    });
    return options;
  };
  /** A new wallet with so many dollars, and so much native currency. */
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
    test("says how far the wallet's own currency goes", async () => {
      const enough = await walletWith(dollars("25"), 0n);
      expect(await ask(enough, basket)).toEqual({ ...nothing, crypto: "all" });
      const short = await walletWith(dollars("24.999999"), 0n);
      const partly = { ...nothing, crypto: "partially" };
      expect(await ask(short, basket)).toEqual(partly);
      const empty = await walletWith(0n, 0n);
      const none = { ...nothing, crypto: "none" };
      expect(await ask(empty, basket)).toEqual(none);
    });

    test("swaps what the wallet has for what it lacks", async () => {
      // One ether is about 2000 dollars.
      const rich = await walletWith(0n, parseEther("0.02"));
      const swap = ["uniswap_v2"];
      const swapped = { ...nothing, swap, crypto: "none" };
      expect(await ask(rich, basket)).toEqual(swapped);
      const poor = await walletWith(0n, parseEther("0.005"));
      const none = { ...nothing, crypto: "none" };
      expect(await ask(poor, basket)).toEqual(none);
      // Together they are enough.
      const both = await walletWith(dollars("20"), parseEther("0.005"));
      const together = { ...nothing, swap, crypto: "partially" };
      expect(await ask(both, basket)).toEqual(together);
    });

    test("tells the price that is paid", async () => {
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

    test("knows sales for native currency, and what is free", async () => {
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

    test("reads the other kinds of sales contracts", async () => {
      const { chain } = current();
      const wallet = await walletWith(0n, 21n);
      const client = createTestClient({
        mode: "anvil",
        transport: http(chain.rpcUrl),
      });
      /** A contract that answers whatever it is asked with the same numbers. */
      const answering = async (address: Address, words: readonly bigint[]) => {
        const data = concatHex(words.map((word) => toHex(word, { size: 32 })));
        const length = toHex(size(data), { size: 2 });
        const code: Hex[] = ["0x61", length, "0x600c5f3961", length, "0x5ff3"];
        await client.setCode({ address, bytecode: concatHex([...code, data]) });
        return address;
      };
      const later = 2n ** 40n;
      // Up to token 9, for 7 each; the zero address is the currency.
      const range = await answering(
        "0x00000000000000000000000000000000000000a1",
        [0n, 9n, 7n, 0n, 0n, later, 0n],
      );
      const items = (tokenId: string, quantity: string) => [
        { tokenId, quantity },
      ];
      const all = { ...nothing, crypto: "all" };
      const partly = { ...nothing, crypto: "partially" };
      expect(await ask(wallet, items("9", "3"), range)).toEqual(all);
      expect(await ask(wallet, items("9", "4"), range)).toEqual(partly);
      const none = { ...nothing, crypto: "none" };
      expect(await ask(wallet, items("10", "1"), range)).toEqual(none);
      // All tokens for 7 each.
      const collection = await answering(
        "0x00000000000000000000000000000000000000a2",
        [0n, 7n, 0n, 0n, later, 0n],
      );
      expect(await ask(wallet, items("1", "3"), collection)).toEqual(all);
      expect(await ask(wallet, items("1", "4"), collection)).toEqual(partly);
    });

    test("names who takes cards, where the settings do", async () => {
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
      // One at a time.
      expect(options.nftCheckout).toEqual([]);
      expect(options.onRamp).toEqual(["transak"]);
    });

    test("offers nothing for what is not on sale", async () => {
      const { chain } = current();
      const { collectible, user } = chain.fixtures;
      const none = { ...nothing, crypto: "none" };
      expect(await ask(user, basket, collectible)).toEqual(none);
      expect(await ask(user, basket, user)).toEqual(none);
    });

    test("refuses numbers that no token has", async () => {
      const { user } = current().chain.fixtures;
      const tokenId = (maxUint256 + 1n).toString();
      const failure = await ask(user, [{ tokenId, quantity: "1" }]).catch(
        (reason: unknown) => reason,
      );
      expect(failure).toBeInstanceOf(InvalidArgumentError);
      expect(failure).toMatchObject({
        cause: expect.stringContaining("items[0].tokenId"),
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
