import {
  type Address,
  createTestClient,
  encodeDeployData,
  erc20Abi,
  type Hex,
  http,
  parseEther,
  parseUnits,
} from "viem";
import { describe, expect, test } from "vitest";

import type { APIClient } from "../../../generated/api/client.js";
import type { SwapQuote } from "../../../generated/api/types.js";
import {
  InvalidArgumentError,
  QueryFailedError,
  UnavailableError,
} from "../../../generated/errors.js";
import { createFixtureAccounts } from "../../chain/accounts.js";
import { deployOnce, openChainWallet } from "../../chain/chain-wallet.js";
import { fixtureCoin } from "../../chain/artifacts/fixture-coin.js";
import { legacyCoin } from "../../chain/artifacts/legacy-coin.js";
import { swapPools } from "../../chain/artifacts/swap-pools.js";
import { openApi } from "../support/open-api.js";
import {
  openTestChain,
  silentNetworks,
  testChainId,
} from "../support/start-chain.js";
import { openTestDatabase } from "../support/test-database.js";

const native = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
const zero = "0x0000000000000000000000000000000000000000";
const nobody = "0x00000000000000000000000000000000000abcde";
const accounts = createFixtureAccounts();

const database = await openTestDatabase();
const chain = await openTestChain();
const api = await openApi(database, [chain.network, ...silentNetworks]);
const user = openChainWallet(chain.rpcUrl, testChainId, accounts.user);
const owner = openChainWallet(chain.rpcUrl, testChainId, accounts.owner);

const balanceOf = (currency: string, account: Address): Promise<bigint> =>
  currency === native
    ? user.getBalance({ address: account })
    : user.readContract({
        address: currency as Address,
        abi: erc20Abi,
        functionName: "balanceOf",
        args: [account],
      });

/** Expects every call to fail with the same error. */
const expectAll = async (
  attempts: readonly Promise<unknown>[],
  failure: new () => Error,
): Promise<void> => {
  await Promise.all(
    attempts.map((attempt) => expect(attempt).rejects.toBeInstanceOf(failure)),
  );
};

interface Wanted {
  readonly buy: string;
  readonly sell: string;
  readonly amount: bigint;
  readonly slippage?: number;
  readonly includeApprove?: boolean;
}

const quoteFor = async (wanted: Wanted): Promise<SwapQuote> => {
  const { swapQuote } = await api.getSwapQuote({
    userAddress: user.account.address,
    buyCurrencyAddress: wanted.buy,
    sellCurrencyAddress: wanted.sell,
    buyAmount: wanted.amount.toString(),
    chainId: testChainId,
    includeApprove: wanted.includeApprove ?? false,
    ...(wanted.slippage !== undefined && {
      slippagePercentage: wanted.slippage,
    }),
  });
  return swapQuote;
};

/** Sends the transactions of a quote unchanged. Output: the fees. */
async function execute(quote: SwapQuote): Promise<bigint> {
  const transactions = [
    ...(quote.approveData === ""
      ? []
      : [{ to: quote.currencyAddress, data: quote.approveData, value: "0" }]),
    {
      to: quote.to,
      data: quote.transactionData,
      value: quote.transactionValue,
    },
  ];
  let fees = 0n;
  for (const { to, data, value } of transactions) {
    const receipt = await user.sendTransactionSync({
      to: to as Address,
      data: data as Hex,
      value: BigInt(value),
      throwOnReceiptRevert: true,
    });
    fees += receipt.gasUsed * receipt.effectiveGasPrice;
  }
  return fees;
}

describe("a quote that is executed unchanged", () => {
  const cases = [
    ["one token for another, through two pools", "gold", "dollar"],
    ["the native currency for a token", "dollar", "native"],
    ["a token for the native currency", "native", "dollar"],
  ] as const;

  test.each(cases)(
    "charges the quoted price and delivers the tokens: %s",
    async (_, buy, sell) => {
      const currencies = {
        native,
        dollar: chain.fixtures.dollar,
        gold: chain.fixtures.gold,
      };
      const [bought, sold] = [currencies[buy], currencies[sell]];
      const amount =
        buy === "dollar" ? parseUnits("100", 6) : parseEther("0.05");
      const { address } = user.account;
      const before = {
        bought: await balanceOf(bought, address),
        sold: await balanceOf(sold, address),
      };
      const quote = await quoteFor({
        buy: bought,
        sell: sold,
        amount,
        includeApprove: true,
      });
      expect(quote.currencyAddress).toBe(sold);
      expect(quote.currencyBalance).toBe(before.sold.toString());
      const { swapPrice } = await api.getSwapPrice({
        buyCurrencyAddress: bought,
        sellCurrencyAddress: sold,
        buyAmount: amount.toString(),
        chainId: testChainId,
      });
      expect(swapPrice).toEqual({
        currencyAddress: quote.currencyAddress,
        currencyBalance: "0",
        price: quote.price,
        maxPrice: quote.maxPrice,
        transactionValue: quote.transactionValue,
      });

      const fees = await execute(quote);
      const gained = (await balanceOf(bought, address)) - before.bought;
      const paid = before.sold - (await balanceOf(sold, address));
      expect(gained).toBe(bought === native ? amount - fees : amount);
      const price = BigInt(quote.price);
      expect(paid).toBe(sold === native ? price + fees : price);
    },
  );
});

test("allows a slippage of 3% by default", async () => {
  const { dollar } = chain.fixtures;
  const wanted = { buy: dollar, sell: native, amount: parseUnits("100", 6) };
  const { maxPrice, price } = await quoteFor(wanted);
  expect(BigInt(maxPrice)).toBe((BigInt(price) * 103n) / 100n);
});

test("never charges more for a quote than its maximum price", async () => {
  const { dollar } = chain.fixtures;
  const wanted = { buy: dollar, sell: native, amount: parseUnits("100", 6) };
  const tight = await quoteFor({ ...wanted, slippage: 0.5 });
  const wide = await quoteFor({ ...wanted, slippage: 50 });
  expect(BigInt(tight.maxPrice)).toBe((BigInt(tight.price) * 1005n) / 1000n);
  expect(tight.transactionValue).toBe(tight.maxPrice);

  // Another account buys first, which raises the price by more than half a
  // percent.
  const dear = parseUnits("20000", 6);
  const first = await api.getSwapQuote({
    userAddress: owner.account.address,
    buyCurrencyAddress: dollar,
    sellCurrencyAddress: native,
    buyAmount: dear.toString(),
    chainId: testChainId,
    includeApprove: false,
  });
  await owner.sendTransactionSync({
    to: first.swapQuote.to as Address,
    data: first.swapQuote.transactionData as Hex,
    value: BigInt(first.swapQuote.transactionValue),
  });

  await expect(execute(tight)).rejects.toThrow(/EXCESSIVE_INPUT_AMOUNT/u);
  const before = await balanceOf(native, user.account.address);
  const fees = await execute(wide);
  const paid = before - (await balanceOf(native, user.account.address)) - fees;
  expect(paid).toBeGreaterThan(BigInt(wide.price));
  expect(paid).toBeLessThanOrEqual(BigInt(wide.maxPrice));
});

test("expires a quote according to the chain's clock", async () => {
  const { dollar } = chain.fixtures;
  const wanted = { buy: dollar, sell: native, amount: 1_000_000n };
  const old = await quoteFor(wanted);
  const clock = createTestClient({
    mode: "anvil",
    transport: http(chain.rpcUrl),
  });
  await clock.increaseTime({ seconds: 3600 });
  await clock.mine({ blocks: 1 });
  await expect(execute(old)).rejects.toThrow(/EXPIRED/u);
  // The chain's clock is now ahead of the platform's.
  await execute(await quoteFor(wanted));
});

test("approves only the required amount, and only on request", async () => {
  const { dollar, gold } = chain.fixtures;
  const wanted = { buy: gold, sell: dollar, amount: parseEther("0.1") };
  const approving = { ...wanted, includeApprove: true };
  expect((await quoteFor(wanted)).approveData).toBe("");
  const quote = await quoteFor(approving);
  await user.sendTransactionSync({
    to: dollar,
    data: quote.approveData as Hex,
  });
  const allowance = await user.readContract({
    address: dollar,
    abi: fixtureCoin.abi,
    functionName: "allowance",
    args: [user.account.address, quote.to as Address],
  });
  expect(allowance).toBe(BigInt(quote.maxPrice));
  expect((await quoteFor(approving)).approveData).toBe("");
  const sellsNative = { ...approving, sell: native };
  expect((await quoteFor(sellsNative)).approveData).toBe("");
});

test("approves the maximum amount once if a currency does not allow replacing a nonzero allowance", async () => {
  const { gold, pools } = chain.fixtures;
  const supply = parseEther("1000");
  const args = [accounts.owner.address, supply] as const;
  const coin = await deployOnce(
    owner,
    encodeDeployData({ ...legacyCoin, args }),
  );
  const write = { address: coin, abi: legacyCoin.abi } as const;
  const half = supply / 2n;
  const { user: buyer } = chain.fixtures;
  await owner.writeContractSync({
    ...write,
    ...{ functionName: "transfer", args: [buyer, half] },
  });
  for (const address of [coin, gold]) {
    await owner.writeContractSync({
      ...{ address, abi: legacyCoin.abi, functionName: "approve" },
      args: [pools, half],
    });
  }
  await owner.writeContractSync({
    ...{ address: pools, abi: swapPools.abi, functionName: "addLiquidity" },
    args: [coin, gold, half, half],
    throwOnReceiptRevert: true,
  });
  const wanted = { buy: gold, sell: coin, amount: parseEther("1") };
  const approving = { ...wanted, includeApprove: true };
  // The first swap leaves an allowance behind, which the second one uses.
  await execute(await quoteFor(approving));
  await execute(await quoteFor(approving));
  const approve = (amount: bigint) =>
    user.writeContractSync({
      ...{ ...write, functionName: "approve", args: [pools, amount] },
      throwOnReceiptRevert: true,
    });
  await approve(0n);
  await approve(1n);
  await expect(quoteFor(approving)).rejects.toThrow(QueryFailedError);
  await approve(0n);
  await execute(await quoteFor(approving));
});

test("accepts the zero address as the native currency", async () => {
  const { dollar } = chain.fixtures;
  const wanted = { buy: dollar, amount: 1_000_000n };
  const named = await quoteFor({ ...wanted, sell: native });
  const zeroed = await quoteFor({ ...wanted, sell: zero });
  expect(zeroed.price).toBe(named.price);
  expect(zeroed.currencyAddress).toBe(native);
  expect(zeroed.transactionValue).toBe(named.transactionValue);
});

describe("prices", () => {
  const pricesFor = async (
    userAddress: string,
    amount: bigint,
    slippage: { readonly slippagePercentage?: number } = {},
  ) => {
    const { swapPrices } = await api.getSwapPrices({
      userAddress,
      buyCurrencyAddress: chain.fixtures.gold,
      buyAmount: amount.toString(),
      chainId: testChainId,
      ...slippage,
    });
    return swapPrices;
  };

  test("are listed for the currencies in which the user can pay", async () => {
    const prices = await pricesFor(user.account.address, parseEther("0.01"));
    expect(prices.map(({ currencyAddress }) => currencyAddress)).toEqual([
      native,
      chain.fixtures.dollar,
    ]);
    for (const price of prices) {
      const balance = await balanceOf(
        price.currencyAddress,
        user.account.address,
      );
      expect(price.currencyBalance).toBe(balance.toString());
    }
    expect(await pricesFor(nobody, 1n)).toEqual([]);
  });

  test("are not listed if the user cannot pay the maximum price", async () => {
    const { dollar, gold } = chain.fixtures;
    const amount = parseEther("0.01");
    const { swapPrice } = await api.getSwapPrice({
      buyCurrencyAddress: gold,
      sellCurrencyAddress: dollar,
      buyAmount: amount.toString(),
      chainId: testChainId,
    });
    const buyer = "0x00000000000000000000000000000000000b0b0b";
    await user.writeContractSync({
      ...{ address: dollar, abi: erc20Abi, functionName: "transfer" },
      args: [buyer, BigInt(swapPrice.price)],
    });
    expect(await pricesFor(buyer, amount)).toEqual([]);
    const exact = await pricesFor(buyer, amount, { slippagePercentage: 0 });
    expect(exact).toMatchObject([{ currencyBalance: swapPrice.price }]);
  });

  test("are not listed if no pool has enough of the currency", async () => {
    expect(await pricesFor(user.account.address, parseEther("1000"))).toEqual(
      [],
    );
  });
});

describe("rejected swap requests", () => {
  const ask = (change: Partial<Parameters<APIClient["getSwapPrice"]>[0]>) =>
    api.getSwapPrice({
      buyCurrencyAddress: chain.fixtures.gold,
      sellCurrencyAddress: native,
      buyAmount: "1000",
      chainId: testChainId,
      ...change,
    });

  test("rejects a request for a price if there is no route", async () => {
    const attempts = [
      ask({ buyCurrencyAddress: nobody }),
      ask({ buyAmount: parseEther("1000").toString() }),
      ask({ buyAmount: (2n ** 256n - 1n).toString() }),
      ask({ buyCurrencyAddress: chain.fixtures.wrappedNative }),
    ];
    await expectAll(attempts, QueryFailedError);
  });

  test("rejects a zero amount, an amount over 256 bits, a swap of a currency for itself, and an unknown chain", async () => {
    const attempts = [
      ask({ buyAmount: "0" }),
      ask({ buyAmount: (2n ** 256n).toString() }),
      ask({ buyCurrencyAddress: zero }),
      ask({ chainId: 5 }),
    ];
    await expectAll(attempts, InvalidArgumentError);
  });

  test("reports Unavailable instead of a missing route if the chain is unreachable", async () => {
    const swap = chain.network.swap;
    const down = silentNetworks.map((network) => ({ ...network, swap }));
    const cut = await openApi(database, down);
    for (const { chainId } of down) {
      const request = {
        userAddress: nobody,
        buyCurrencyAddress: chain.fixtures.gold,
        sellCurrencyAddress: native,
        buyAmount: "1000",
        chainId,
        includeApprove: true,
      };
      const attempts = [
        cut.getSwapPrice(request),
        cut.getSwapPrices(request),
        cut.getSwapQuote(request),
      ];
      await expectAll(attempts, UnavailableError);
    }
  });
});
