import { type Address, type Hex, keccak256, toHex } from "viem";

import type {
  MarketplaceSettings,
  SwapSettings,
} from "../settings/read-network.js";
import { createFixtureAccounts, type FixtureHolders } from "./accounts.js";
import { smartWalletFactory } from "./artifacts/smart-wallet-factory.js";
import { openChainWallet } from "./chain-wallet.js";
import { deployContracts, type FixtureContracts } from "./deploy-contracts.js";
import {
  type FixtureOrders,
  fixtureOrdersOf,
  seedOrders,
} from "./seed-orders.js";
import { seedFixtures } from "./seed.js";

/** Addresses of everything on the embedded chain. */
export interface Fixtures
  extends FixtureContracts, FixtureOrders, FixtureHolders {
  /** A deployed contract wallet that the user owns. */
  readonly wallet: Address;
  /** Another contract wallet for the user, which has not been deployed. */
  readonly futureWallet: Address;
  /** The salt from which the address of `futureWallet` is derived. */
  readonly futureWalletSalt: Hex;
}

const walletSalt = keccak256(toHex("wallet"));
const futureWalletSalt = keccak256(toHex("future wallet"));

/**
 * Deploys the embedded chain's contracts and adds test data. Existing
 * contracts and data stay unchanged.
 *
 * Errors: any error from viem, e.g. if the chain does not respond.
 */
export async function deployFixtures(
  rpcUrl: string,
  chainId: number,
): Promise<Fixtures> {
  const accounts = createFixtureAccounts();
  const { owner, user, other } = accounts;
  const wallet = openChainWallet(rpcUrl, chainId, owner);
  const contracts = await deployContracts(wallet);
  const walletOf = (salt: Hex): Promise<Address> =>
    wallet.readContract({
      address: contracts.walletFactory,
      abi: smartWalletFactory.abi,
      functionName: "walletOf",
      args: [user.address, salt],
    });
  const fixtures = {
    ...contracts,
    ...fixtureOrdersOf(contracts, accounts),
    owner: owner.address,
    user: user.address,
    other: other.address,
    wallet: await walletOf(walletSalt),
    futureWallet: await walletOf(futureWalletSalt),
    futureWalletSalt,
  };
  await seedFixtures(wallet, fixtures);
  await seedOrders(wallet, contracts, accounts);
  if ((await wallet.getCode({ address: fixtures.wallet })) === undefined) {
    await wallet.writeContractSync({
      address: fixtures.walletFactory,
      abi: smartWalletFactory.abi,
      functionName: "createWallet",
      args: [user.address, walletSalt],
    });
  }
  return fixtures;
}

/** Returns the settings for swaps between the currencies. */
export function swapOf(fixtures: FixtureContracts): SwapSettings {
  const { pools, dollar, gold, wrappedNative } = fixtures;
  return { router: pools, v3: null, currencies: [dollar, gold, wrappedNative] };
}

/** Returns the settings for orders. Card payments are not available. */
export function marketplaceOf(fixtures: FixtureContracts): MarketplaceSettings {
  const { dollar, seaport } = fixtures;
  return { seaport, startBlock: 0, dollar, nftCheckout: [], onRamp: [] };
}
