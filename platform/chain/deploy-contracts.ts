import {
  type Address,
  encodeDeployData,
  type Hex,
  parseAbi,
  parseUnits,
} from "viem";

import { fixtureCoin } from "./artifacts/fixture-coin.js";
import { fixtureCollectible } from "./artifacts/fixture-collectible.js";
import { fixtureGuestbook } from "./artifacts/fixture-guestbook.js";
import { fixtureItems } from "./artifacts/fixture-items.js";
import { fixtureSale } from "./artifacts/fixture-sale.js";
import { legacyCoin } from "./artifacts/legacy-coin.js";
import { conduitControllerCode, seaportCode } from "./artifacts/seaport.js";
import { smartWalletFactory } from "./artifacts/smart-wallet-factory.js";
import { swapPools } from "./artifacts/swap-pools.js";
import { wrappedNative } from "./artifacts/wrapped-native.js";
import { type ChainWallet, deployOnce } from "./chain-wallet.js";
import { forwarderCode } from "./forwarder.js";

/** The contracts on the embedded chain. */
export interface FixtureContracts {
  /** The native currency as a token. */
  readonly wrappedNative: Address;
  /** A currency with 6 decimals. */
  readonly dollar: Address;
  /** A currency with 18 decimals. */
  readonly gold: Address;
  /** A currency whose name has type bytes32. */
  readonly legacyCoin: Address;
  /**
   * A router with two pools, which pair the native currency with dollars and
   * with gold.
   */
  readonly pools: Address;
  /** An ERC-721 contract with the tokens 1, 2 and 3. */
  readonly collectible: Address;
  /** An ERC-1155 contract with the tokens 1 and 2. */
  readonly items: Address;
  /** Sells items for dollars: token 1 costs 5, and all others cost 10. */
  readonly sale: Address;
  /** The marketplace contract, Seaport 1.6. */
  readonly seaport: Address;
  /** Executes calls signed by accounts (ERC-2771). */
  readonly forwarder: Address;
  /** Trusts the forwarder. Each guest can write one entry. */
  readonly guestbook: Address;
  /** Deploys wallets. */
  readonly walletFactory: Address;
}

/** The price of an item. Token 1 costs half. */
const salePrice = parseUnits("10", 6);

/** Deploys the contracts that are not deployed yet. */
export async function deployContracts(
  wallet: ChainWallet,
): Promise<FixtureContracts> {
  const owner = wallet.account.address;
  const deploy = (bytecode: Hex) => deployOnce(wallet, bytecode);
  const native = await deploy(wrappedNative.bytecode);
  const coin = (name: string, symbol: string, decimals: number): Hex =>
    encodeDeployData({ ...fixtureCoin, args: [owner, name, symbol, decimals] });
  const dollar = await deploy(coin("Fixture Dollar", "FUSD", 6));
  const items = await deploy(
    encodeDeployData({
      ...fixtureItems,
      args: [owner, "Fixture Items", "FITM"],
    }),
  );
  const forwarder = await deploy(forwarderCode);
  return {
    wrappedNative: native,
    dollar,
    gold: await deploy(coin("Fixture Gold", "FGLD", 18)),
    legacyCoin: await deploy(
      encodeDeployData({ ...legacyCoin, args: [owner, 10n ** 24n] }),
    ),
    pools: await deploy(encodeDeployData({ ...swapPools, args: [native] })),
    collectible: await deploy(
      encodeDeployData({
        ...fixtureCollectible,
        args: [owner, "Fixture Collectible", "FCOL"],
      }),
    ),
    items,
    sale: await deploy(
      encodeDeployData({
        ...fixtureSale,
        args: [items, dollar, salePrice, [1n], [salePrice / 2n]],
      }),
    ),
    seaport: await deploySeaport(wallet),
    forwarder,
    guestbook: await deploy(
      encodeDeployData({ ...fixtureGuestbook, args: [forwarder] }),
    ),
    walletFactory: await deploy(smartWalletFactory.bytecode),
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
