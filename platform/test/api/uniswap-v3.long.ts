import {
  type Address,
  concat,
  createTestClient,
  erc20Abi,
  type Hex,
  http,
  numberToHex,
  parseAbi,
  parseEther,
  parseUnits,
} from "viem";
import { describe, expect, test } from "vitest";

import { createFixtureAccounts } from "../../chain/accounts.js";
import { openChainWallet } from "../../chain/chain-wallet.js";
import { QueryFailedError } from "../../../generated/errors.js";
import type { SwapSettings } from "../../settings/read-network.js";
import { openApi } from "../support/open-api.js";
import { openTestChain, testChainId } from "../support/start-chain.js";
import { openTestDatabase } from "../support/test-database.js";
import { deployUniswapV3 } from "./deploy-uniswap-v3.js";

const native = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";

const { owner, user } = createFixtureAccounts();
const database = await openTestDatabase();
const chain = await openTestChain();
const { dollar, gold, pools, wrappedNative } = chain.fixtures;
const wallet = openChainWallet(chain.rpcUrl, testChainId, owner);
const buyer = openChainWallet(chain.rpcUrl, testChainId, user);
const uniswap = await deployUniswapV3(wallet, chain.fixtures);

const { router } = uniswap;
const v3 = { quoter: uniswap.quoterV2, router };
const apiWith = (changes: Partial<SwapSettings>) => {
  const currencies = [dollar, gold, wrappedNative];
  const swap = { router: pools, v3, currencies, ...changes };
  return openApi(database, [{ ...chain.network, swap }]);
};
const both = await apiWith({});
const onlyV2 = await apiWith({ v3: null });
const onlyV3 = await apiWith({ router: null });
const byOldQuoter = await apiWith({
  router: null,
  v3: { quoter: uniswap.quoter, router },
});

/**
 * The name of each swap, the currencies to sell and buy, the amount to buy, and
 * the pools that are cheaper at first.
 */
const swaps = [
  ["native to dollar", native, dollar, parseUnits("100", 6), "v3"],
  ["dollar to native", dollar, native, parseEther("0.01"), "v3"],
  ["native to gold", native, gold, parseEther("0.5"), "v2"],
  ["gold to native", gold, native, parseEther("0.01"), "v2"],
  ["dollar to gold", dollar, gold, parseEther("0.0001"), "v3"],
  ["dollar to wrapped", dollar, wrappedNative, parseEther("0.02"), "v3"],
] as const;

const toRequest = (
  sellCurrencyAddress: string,
  buyCurrencyAddress: string,
  amount: bigint,
) => ({
  sellCurrencyAddress,
  buyCurrencyAddress,
  buyAmount: amount.toString(),
  chainId: testChainId,
});

/**
 * Returns the price of the cheapest path through one or two pools, or null if
 * no path is possible. Queries each path separately.
 */
async function cheapestPath(
  sold: Address,
  bought: Address,
  amount: bigint,
): Promise<bigint | null> {
  const fees = [100, 500, 3000, 10_000].map((fee) =>
    numberToHex(fee, { size: 3 }),
  );
  const between = [dollar, gold, wrappedNative].filter(
    (currency) => currency !== sold && currency !== bought,
  );
  const paths = fees.flatMap((last) => [
    concat([bought, last, sold]),
    ...between.flatMap((currency) =>
      fees.map((first) => concat([bought, last, currency, first, sold])),
    ),
  ]);
  const quotes = paths.map((path) =>
    buyer
      .simulateContract({
        address: uniswap.quoter,
        abi: parseAbi([
          "function quoteExactOutput(bytes path, uint256 amountOut) returns (uint256)",
        ]),
        functionName: "quoteExactOutput",
        args: [path, amount],
      })
      .then(
        ({ result }) => [result],
        () => [],
      ),
  );
  const found = (await Promise.all(quotes)).flat();
  return found.reduce<bigint | null>(
    (least, price) => (least === null || price < least ? price : least),
    null,
  );
}

/**
 * A swap uses more gas than estimated if a pool stores its price for a new
 * second.
 */
const gas = 1_000_000n;

const balanceOf = (currency: string): Promise<bigint> =>
  currency === native
    ? buyer.getBalance({ address: user.address })
    : buyer.readContract({
        ...{ address: currency as Address, abi: erc20Abi },
        ...{ functionName: "balanceOf", args: [user.address] },
      });

describe("Uniswap V3", () => {
  test.each(swaps)(
    "quotes the cheapest path: %s",
    async (_, sold, bought, amount, cheaper) => {
      const request = toRequest(sold, bought, amount);
      const [price, v2, v3Price, old] = await Promise.all(
        [both, onlyV2, onlyV3, byOldQuoter].map(async (api) => {
          const { swapPrice } = await api.getSwapPrice(request);
          return BigInt(swapPrice.price);
        }),
      );
      const asToken = (currency: Address): Address =>
        currency === native ? wrappedNative : currency;
      expect(v3Price).toBe(
        await cheapestPath(asToken(sold), asToken(bought), amount),
      );
      expect(old).toBe(v3Price);
      expect(v2).not.toBe(v3Price);
      expect(price).toBe(cheaper === "v2" ? v2 : v3Price);
      expect(price).toBeLessThanOrEqual(v2 ?? 0n);
    },
  );

  test.each(swaps)(
    "executes a quote at its price: %s",
    async (_, sold, bought, amount) => {
      for (const api of [both, onlyV3]) {
        const before = [
          await balanceOf(sold),
          await balanceOf(bought),
        ] as const;
        const { swapQuote: quote } = await api.getSwapQuote({
          ...toRequest(sold, bought, amount),
          userAddress: user.address,
          includeApprove: true,
        });
        // Each swap changes the prices for the next one.
        expect(api === onlyV3 ? [router] : [router, pools]).toContain(quote.to);
        let fees = 0n;
        for (const { data, to, value } of [
          { to: sold, data: quote.approveData, value: "0" },
          {
            ...quote,
            data: quote.transactionData,
            value: quote.transactionValue,
          },
        ]) {
          if (data === "") continue;
          const receipt = await buyer.sendTransactionSync({
            ...{ to: to as Address, data: data as Hex, value: BigInt(value) },
            ...{ gas, throwOnReceiptRevert: true },
          });
          fees += receipt.gasUsed * receipt.effectiveGasPrice;
        }
        const paid = before[0] - (await balanceOf(sold));
        const got = (await balanceOf(bought)) - before[1];
        const price = BigInt(quote.price);
        expect(paid).toBe(sold === native ? price + fees : price);
        expect(got).toBe(bought === native ? amount - fees : amount);
      }
    },
  );

  test("rejects swaps above the maximum price or after their deadline", async () => {
    const quoteFor = async (slippagePercentage: number) => {
      const { swapQuote } = await onlyV3.getSwapQuote({
        ...toRequest(native, dollar, parseUnits("100", 6)),
        ...{ userAddress: user.address, includeApprove: false },
        slippagePercentage,
      });
      return swapQuote;
    };
    const execute = ({
      to,
      transactionData,
      transactionValue,
    }: Awaited<ReturnType<typeof quoteFor>>) =>
      buyer.sendTransactionSync({
        ...{ to: to as Address, data: transactionData as Hex },
        value: BigInt(transactionValue),
        ...{ gas, throwOnReceiptRevert: true },
      });
    const tight = await quoteFor(0.001);
    const late = await quoteFor(50);
    await execute(await quoteFor(50));
    await expect(execute(tight)).rejects.toThrow(/revert/u);
    const mode = "anvil";
    const clock = createTestClient({ mode, transport: http(chain.rpcUrl) });
    await clock.increaseTime({ seconds: 3600 });
    await clock.mine({ blocks: 1 });
    await expect(execute(late)).rejects.toThrow(/revert/u);
  });

  test("offers no route if no pool has enough of the currency", async () => {
    const much = toRequest(native, dollar, parseUnits("100000000", 6));
    await expect(both.getSwapPrice(much)).rejects.toThrow(QueryFailedError);
  });
});
