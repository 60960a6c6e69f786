import { type Address, parseEther, parseUnits } from "viem";

import type { FixtureHolders } from "./accounts.js";
import { fixtureCoin } from "./artifacts/fixture-coin.js";
import { swapPools } from "./artifacts/swap-pools.js";
import { wrappedNative } from "./artifacts/wrapped-native.js";
import type { ChainWallet } from "./chain-wallet.js";
import type { FixtureContracts } from "./deploy-contracts.js";
import { seedCollectible, seedItems } from "./seed-collectibles.js";

/** Seeds the contracts with data. Skips contracts that already have data. */
export async function seedFixtures(
  wallet: ChainWallet,
  fixtures: FixtureContracts & FixtureHolders,
): Promise<void> {
  const { dollar, gold } = fixtures;
  await mintCoins(wallet, fixtures, dollar, parseUnits("10000", 6));
  await mintCoins(wallet, fixtures, gold, parseEther("10"));
  // One ether costs 2000 dollars or one unit of gold.
  await fillPool(wallet, fixtures, dollar, parseUnits("2000000", 6));
  await fillPool(wallet, fixtures, gold, parseEther("1000"));
  await seedCollectible(wallet, fixtures);
  await seedItems(wallet, fixtures);
}

/**
 * Mints coins for each account. The owner gets 1,000 times as many, to fill the
 * pools.
 */
async function mintCoins(
  wallet: ChainWallet,
  { owner, user, other }: FixtureHolders,
  coin: Address,
  amount: bigint,
): Promise<void> {
  const contract = { address: coin, abi: fixtureCoin.abi } as const;
  const supply = await wallet.readContract({
    ...contract,
    functionName: "totalSupply",
  });
  if (supply > 0n) return;
  for (const [account, times] of [
    [user, 1n],
    [other, 1n],
    [owner, 1000n],
  ] as const) {
    await wallet.writeContractSync({
      ...contract,
      functionName: "mint",
      args: [account, amount * times],
    });
  }
}

/** The native currency in each pool. */
const nativeReserve = parseEther("1000");

async function fillPool(
  wallet: ChainWallet,
  fixtures: FixtureContracts,
  coin: Address,
  reserve: bigint,
): Promise<void> {
  const pools = { address: fixtures.pools, abi: swapPools.abi } as const;
  const native = {
    address: fixtures.wrappedNative,
    abi: wrappedNative.abi,
  } as const;
  const filled = await wallet.readContract({
    ...pools,
    functionName: "reserveOf",
    args: [coin, native.address],
  });
  if (filled > 0n) return;
  await wallet.writeContractSync({
    ...native,
    functionName: "deposit",
    value: nativeReserve,
  });
  for (const [address, amount] of [
    [native.address, nativeReserve],
    [coin, reserve],
  ] as const) {
    await wallet.writeContractSync({
      address,
      abi: fixtureCoin.abi,
      functionName: "approve",
      args: [pools.address, amount],
    });
  }
  await wallet.writeContractSync({
    ...pools,
    functionName: "addLiquidity",
    args: [native.address, coin, nativeReserve, reserve],
  });
}
