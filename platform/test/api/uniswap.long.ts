import {
  type Abi,
  type Address,
  encodeDeployData,
  erc20Abi,
  type Hex,
  maxUint256,
  parseAbi,
  parseEther,
} from "viem";
import { expect, test } from "vitest";

import { createFixtureAccounts } from "../../chain/accounts.js";
import { swapPools } from "../../chain/artifacts/swap-pools.js";
import { deployOnce, openChainWallet } from "../../chain/chain-wallet.js";
import { openApi } from "../support/open-api.js";
import { requireArtifact } from "../support/require-artifact.js";
import { openTestChain, testChainId } from "../support/start-chain.js";
import { openTestDatabase } from "../support/test-database.js";

const native = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
const { owner, user } = createFixtureAccounts();

const database = await openTestDatabase();
const chain = await openTestChain();
const wallet = openChainWallet(chain.rpcUrl, testChainId, owner);
/** Uniswap's own router, as deployed on mainnet. */
const uniswap = await deployUniswap();

/**
 * Reads an artifact of Uniswap's packages, which the platform does not ship.
 */
function readArtifact(path: string): { readonly abi: Abi; bytecode: Hex } {
  const { abi, evm, bytecode } = requireArtifact(path);
  return { abi, bytecode: bytecode ?? `0x${evm.bytecode.object}` };
}

/**
 * Deploys the router, with pools that have the same reserves as the platform's.
 */
async function deployUniswap(): Promise<Address> {
  const { wrappedNative, dollar, gold } = chain.fixtures;
  const deploy = (path: string, args: readonly unknown[]) =>
    deployOnce(wallet, encodeDeployData({ ...readArtifact(path), args }));
  const factory = await deploy("@uniswap/v2-core/build/UniswapV2Factory.json", [
    owner.address,
  ]);
  const router = await deploy(
    "@uniswap/v2-periphery/build/UniswapV2Router02.json",
    [factory, wrappedNative],
  );
  const abi = parseAbi([
    "function addLiquidityETH(address token, uint256 amountTokenDesired, uint256 amountTokenMin, uint256 amountETHMin, address to, uint256 deadline) payable",
  ]);
  for (const coin of [dollar, gold]) {
    const reserve = await wallet.readContract({
      address: chain.fixtures.pools,
      abi: swapPools.abi,
      functionName: "reserveOf",
      args: [coin, wrappedNative],
    });
    await wallet.writeContractSync({
      address: coin,
      abi: erc20Abi,
      functionName: "approve",
      args: [router, reserve],
    });
    await wallet.writeContractSync({
      address: router,
      abi,
      functionName: "addLiquidityETH",
      args: [coin, reserve, 0n, 0n, owner.address, maxUint256],
      value: parseEther("1000"),
    });
  }
  return router;
}

/**
 * Returns the amounts along a path, or "none" if the router rejects the path or
 * the amount.
 */
const amounts = (
  router: Address,
  functionName: "getAmountsIn" | "getAmountsOut",
  amount: bigint,
  path: readonly Address[],
) =>
  wallet
    .readContract({
      address: router,
      abi: swapPools.abi,
      functionName,
      args: [amount, path],
    })
    .catch(() => "none");

test("quotes the same amounts as Uniswap's pools", async () => {
  const { wrappedNative, dollar, gold, pools } = chain.fixtures;
  const paths = [
    [dollar, wrappedNative],
    [wrappedNative, gold],
    [dollar, wrappedNative, gold],
    [dollar, gold],
  ];
  const sizes = [0n, 1n, 2n, 997n, 1_000_003n, 10n ** 12n + 7n];
  const large = [parseEther("3.7"), parseEther("999.99"), parseEther("1000")];
  const answers = new Set<boolean>();
  for (const path of paths) {
    for (const size of [...sizes, ...large]) {
      for (const direction of ["getAmountsIn", "getAmountsOut"] as const) {
        const [ours, theirs] = await Promise.all([
          amounts(pools, direction, size, path),
          amounts(uniswap, direction, size, path),
        ]);
        expect(ours, `${direction} ${size}`).toEqual(theirs);
        answers.add(ours === "none");
      }
    }
  }
  // Both outcomes occurred.
  expect(answers.size).toBe(2);
});

test("executes a quote for Uniswap's router at the quoted price", async () => {
  const { dollar, gold } = chain.fixtures;
  const currencies = [dollar, gold];
  const quoteAt = async (router: Address, sellCurrencyAddress: string) => {
    const swap = { router, v3: null, currencies };
    const api = await openApi(database, [{ ...chain.network, swap }]);
    const { swapQuote } = await api.getSwapQuote({
      userAddress: user.address,
      buyCurrencyAddress: gold,
      sellCurrencyAddress,
      buyAmount: parseEther("0.5").toString(),
      chainId: testChainId,
      includeApprove: true,
    });
    return swapQuote;
  };
  const buyer = openChainWallet(chain.rpcUrl, testChainId, user);
  const balanceOf = (address: Address) =>
    buyer.readContract({
      address,
      abi: erc20Abi,
      functionName: "balanceOf",
      args: [user.address],
    });
  for (const sold of [native, dollar]) {
    const quote = await quoteAt(uniswap, sold);
    const before = [await balanceOf(dollar), await balanceOf(gold)] as const;
    if (quote.approveData !== "") {
      await buyer.sendTransactionSync({
        to: dollar,
        data: quote.approveData as Hex,
      });
    }
    await buyer.sendTransactionSync({
      to: quote.to as Address,
      data: quote.transactionData as Hex,
      value: BigInt(quote.transactionValue),
      throwOnReceiptRevert: true,
    });
    const paid = sold === dollar ? BigInt(quote.price) : 0n;
    expect(await balanceOf(dollar)).toBe(before[0] - paid);
    expect(await balanceOf(gold)).toBe(before[1] + parseEther("0.5"));
  }
});
