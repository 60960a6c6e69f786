import { type Address, type Hash, type Hex, parseUnits } from "viem";
import type { HDAccount } from "viem/accounts";

import { seaportAbi } from "../seaport/abi.js";
import { makeListing, makeOffer, type Terms } from "../seaport/make-order.js";
import {
  hashOrder,
  ItemType,
  type OrderParameters,
  orderTypes,
} from "../seaport/order.js";
import type { FixtureAccounts } from "./accounts.js";
import { fixtureCoin } from "./artifacts/fixture-coin.js";
import { fixtureCollectible } from "./artifacts/fixture-collectible.js";
import { fixtureItems } from "./artifacts/fixture-items.js";
import { type ChainWallet, openChainWallet } from "./chain-wallet.js";
import type { FixtureContracts } from "./deploy-contracts.js";

/** IDs of the seeded orders. */
export interface FixtureOrders {
  /** Sells token 1 of the collectible for 100 dollars. */
  readonly listing: Hash;
  /** Buys token 1 of the collectible for 80 dollars. */
  readonly offer: Hash;
}

/** The token that the orders trade. */
const token = { tokenId: 1n, quantity: 1n };
const listingPrice = parseUnits("100", 6);
const offerPrice = parseUnits("80", 6);
/** The sale's stock of each item. */
const stock = 1000n;

/** Returns the IDs of the fixture orders, which are the same on every start. */
export function fixtureOrdersOf(
  contracts: FixtureContracts,
  accounts: FixtureAccounts,
): FixtureOrders {
  const { listing, offer } = makeOrders(contracts, accounts);
  return { listing: hashOrder(listing, 0n), offer: hashOrder(offer, 0n) };
}

/** Validates the orders on the chain if this has not been done yet. */
export async function seedOrders(
  wallet: ChainWallet,
  contracts: FixtureContracts,
  accounts: FixtureAccounts,
): Promise<void> {
  const seaport = { address: contracts.seaport, abi: seaportAbi } as const;
  const [isValidated, isCancelled, filled] = await wallet.readContract({
    ...seaport,
    functionName: "getOrderStatus",
    args: [fixtureOrdersOf(contracts, accounts).offer],
  });
  if (isValidated || isCancelled || filled > 0n) return;
  const { user, other } = accounts;
  await openAs(wallet, user).writeContractSync({
    address: contracts.collectible,
    abi: fixtureCollectible.abi,
    functionName: "setApprovalForAll",
    args: [seaport.address, true],
  });
  await openAs(wallet, other).writeContractSync({
    address: contracts.dollar,
    abi: fixtureCoin.abi,
    functionName: "approve",
    args: [seaport.address, offerPrice * 10n],
  });
  await wallet.writeContractSync({
    address: contracts.items,
    abi: fixtureItems.abi,
    functionName: "mintBatch",
    args: [contracts.sale, [1n, 2n], [stock, stock]],
  });
  const sign = async (parameters: OrderParameters, maker: HDAccount) => ({
    parameters,
    signature: await signOrder(wallet, seaport.address, parameters, maker),
  });
  const { listing, offer } = makeOrders(contracts, accounts);
  // This is the last step, so if its effect is present, all steps are done.
  await wallet.writeContractSync({
    ...seaport,
    functionName: "validate",
    args: [[await sign(listing, user), await sign(offer, other)]],
  });
}

/** Signs an order for its maker, whose counter must still be zero. */
export function signOrder(
  { chain }: ChainWallet,
  seaport: Address,
  parameters: OrderParameters,
  maker: HDAccount,
): Promise<Hex> {
  return maker.signTypedData({
    domain: {
      name: "Seaport",
      version: "1.6",
      chainId: chain.id,
      verifyingContract: seaport,
    },
    types: orderTypes,
    primaryType: "OrderComponents",
    message: { ...parameters, counter: 0n },
  });
}

function openAs({ chain }: ChainWallet, account: HDAccount): ChainWallet {
  const [rpcUrl = ""] = chain.rpcUrls.default.http;
  return openChainWallet(rpcUrl, chain.id, account);
}

function makeOrders(
  { collectible, dollar }: FixtureContracts,
  { owner, user, other }: FixtureAccounts,
): Record<keyof FixtureOrders, OrderParameters> {
  const terms = (maker: Address, price: bigint): Terms => ({
    maker,
    item: { itemType: ItemType.Erc721, token: collectible, ...token },
    currency: dollar,
    price,
    fees: [{ recipient: owner.address, amount: price / 40n }],
  });
  return {
    listing: makeListing(terms(user.address, listingPrice)),
    offer: makeOffer(terms(other.address, offerPrice)),
  };
}
