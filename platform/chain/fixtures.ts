import {
  type Address,
  encodeDeployData,
  type Hex,
  keccak256,
  parseAbi,
  parseUnits,
  toHex,
} from "viem";

import type {
  MarketplaceSettings,
  SwapSettings,
} from "../settings/settings.js";
import { createFixtureAccounts } from "./accounts.js";
import { fixtureCoin } from "./artifacts/fixture-coin.js";
import { fixtureCollectible } from "./artifacts/fixture-collectible.js";
import { fixtureItems } from "./artifacts/fixture-items.js";
import { fixtureSale } from "./artifacts/fixture-sale.js";
import { legacyCoin } from "./artifacts/legacy-coin.js";
import { conduitControllerCode, seaportCode } from "./artifacts/seaport.js";
import { smartWalletFactory } from "./artifacts/smart-wallet-factory.js";
import { swapPools } from "./artifacts/swap-pools.js";
import { wrappedNative } from "./artifacts/wrapped-native.js";
import {
  type ChainWallet,
  deployOnce,
  openChainWallet,
} from "./chain-wallet.js";
import {
  type FixtureOrders,
  fixtureOrdersOf,
  seedOrders,
} from "./seed-orders.js";
import { seedFixtures } from "./seed.js";

/** Addresses of what there is on the embedded chain. */
export interface Fixtures extends FixtureContracts, FixtureOrders {
  /** Owns the contracts. */
  readonly owner: Address;
  /** Has currencies, collectibles and items. */
  readonly user: Address;
  /** Has some, too. */
  readonly other: Address;
  /** A wallet that is a contract of the user's. */
  readonly wallet: Address;
  /** Another one, which is not deployed. */
  readonly futureWallet: Address;
  /** What makes it the other one. */
  readonly futureWalletSalt: Hex;
}

/** The contracts among them. */
export interface FixtureContracts {
  /** The native currency as a token. */
  readonly wrappedNative: Address;
  /** A currency with 6 decimals. */
  readonly dollar: Address;
  /** A currency with 18 decimals. */
  readonly gold: Address;
  /** A currency whose name is not a string. */
  readonly legacyCoin: Address;
  /** Router and pools: the native currency with dollars, and with gold. */
  readonly pools: Address;
  /** An ERC-721 with the tokens 1, 2 and 3. */
  readonly collectible: Address;
  /** An ERC-1155 with the tokens 1 and 2. */
  readonly items: Address;
  /** Sells items for dollars: token 1 for 5, others for 10. */
  readonly sale: Address;
  /** The marketplace contract, Seaport 1.6. */
  readonly seaport: Address;
  /** Makes wallets. */
  readonly walletFactory: Address;
}

/** Of an item; of token 1, the half. */
const salePrice = parseUnits("10", 6);
const walletSalt = keccak256(toHex("wallet"));
const futureWalletSalt = keccak256(toHex("future wallet"));

/**
 * Deploys the contracts of the embedded chain and puts something into them;
 * what is there already stays as it is.
 *
 * Errors: those of viem, when the chain does not answer.
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

/** How the currencies are swapped. */
export function swapOf(fixtures: FixtureContracts): SwapSettings {
  const { pools, dollar, gold, wrappedNative } = fixtures;
  return { router: pools, currencies: [dollar, gold, wrappedNative] };
}

/** Where orders are; nobody takes cards. */
export function marketplaceOf(fixtures: FixtureContracts): MarketplaceSettings {
  const { dollar, seaport } = fixtures;
  return { seaport, startBlock: 0, dollar, nftCheckout: [], onRamp: [] };
}

async function deployContracts(wallet: ChainWallet): Promise<FixtureContracts> {
  const owner = wallet.account.address;
  const native = await deployOnce(wallet, wrappedNative.bytecode);
  const coin = (name: string, symbol: string, decimals: number): Hex =>
    encodeDeployData({ ...fixtureCoin, args: [owner, name, symbol, decimals] });
  const dollar = await deployOnce(wallet, coin("Fixture Dollar", "FUSD", 6));
  const items = await deployOnce(
    wallet,
    encodeDeployData({
      ...fixtureItems,
      args: [owner, "Fixture Items", "FITM"],
    }),
  );
  return {
    wrappedNative: native,
    dollar,
    gold: await deployOnce(wallet, coin("Fixture Gold", "FGLD", 18)),
    legacyCoin: await deployOnce(
      wallet,
      encodeDeployData({ ...legacyCoin, args: [owner, 10n ** 24n] }),
    ),
    pools: await deployOnce(
      wallet,
      encodeDeployData({ ...swapPools, args: [native] }),
    ),
    collectible: await deployOnce(
      wallet,
      encodeDeployData({
        ...fixtureCollectible,
        args: [owner, "Fixture Collectible", "FCOL"],
      }),
    ),
    items,
    sale: await deployOnce(
      wallet,
      encodeDeployData({
        ...fixtureSale,
        args: [items, dollar, salePrice, [1n], [salePrice / 2n]],
      }),
    ),
    seaport: await deploySeaport(wallet),
    walletFactory: await deployOnce(wallet, smartWalletFactory.bytecode),
  };
}

async function deploySeaport(wallet: ChainWallet): Promise<Address> {
  const conduits = await deployOnce(wallet, conduitControllerCode);
  return deployOnce(
    wallet,
    encodeDeployData({
      abi: parseAbi(["constructor(address conduitController)"]),
      bytecode: seaportCode,
      args: [conduits],
    }),
  );
}
