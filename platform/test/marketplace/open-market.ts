import type { Kysely } from "kysely";
import { type Address, type Hash, zeroAddress } from "viem";
import { expect, vi } from "vitest";

import {
  createMarketplaceClient,
  type MarketplaceClient,
} from "../../../generated/marketplace/client.js";
import type { Order } from "../../../generated/marketplace/types.js";
import { createFixtureAccounts } from "../../chain/accounts.js";
import { fixtureCoin } from "../../chain/artifacts/fixture-coin.js";
import { fixtureCollectible } from "../../chain/artifacts/fixture-collectible.js";
import { marketplaceOf } from "../../chain/fixtures.js";
import { type ChainWallet, openChainWallet } from "../../chain/chain-wallet.js";
import type { Tables } from "../../database/schema.js";
import { openChainClient } from "../../network/chain-client.js";
import { createNetworks, type Network } from "../../network/networks.js";
import { seaportAbi } from "../../seaport/abi.js";
import type { Item } from "../../seaport/make-order.js";
import {
  hashOrder,
  ItemType,
  type OrderParameters,
} from "../../seaport/order.js";
import { followOrders } from "../../services/marketplace/book/follow-orders.js";
import type { NetworkSettings } from "../../settings/read-network.js";
import { createTestProject, servePlatform } from "../support/serve-platform.js";
import {
  silentNetworks,
  startTestChain,
  type TestChain,
  testChainId,
} from "../support/start-chain.js";
import { openTestDatabase, silent } from "../support/test-database.js";

/** A chain with a marketplace whose orders the platform follows. */
export interface TestMarket {
  readonly chain: TestChain;
  readonly database: Kysely<Tables>;
  /** The network that the platform follows. */
  readonly network: Network;
  /** A client whose calls wait until the platform knows the whole chain. */
  readonly client: MarketplaceClient;
  /** Returns a client of the same service on another network. */
  on(network: string): MarketplaceClient;
  readonly owner: ChainWallet;
  readonly user: ChainWallet;
  readonly other: ChainWallet;
  /** Puts a maker's orders on the chain. Output: their IDs. */
  validate(
    maker: ChainWallet,
    orders: readonly OrderParameters[],
  ): Promise<readonly Hash[]>;
  /** Waits until the platform knows the whole chain. */
  settle(): Promise<void>;
  /** Reads the current state of an order, or null if it does not exist. */
  read(collection: Address, orderId: string): Promise<Order | null>;
  /** Mints a new token of the collectible. */
  mint(to: ChainWallet): Promise<Item>;
  stop(): Promise<void>;
}

/**
 * Returns the other networks of the tests: without a node that responds,
 * without a marketplace, or with card providers.
 */
function otherNetworks({
  fixtures,
  network,
}: TestChain): readonly NetworkSettings[] {
  const { marketplace } = network;
  return [
    ...silentNetworks.map((each) => ({ ...each, marketplace })),
    { ...network, handle: "no-market", chainId: 4050, marketplace: null },
    {
      // Use the same chain, because its node is asked for the chain ID.
      ...{ ...network, handle: "with-cards" },
      marketplace: {
        ...marketplaceOf(fixtures),
        nftCheckout: ["sardine"],
        onRamp: ["transak"],
      },
    },
  ];
}

/**
 * Starts a chain and a platform that follows its orders. Input: changes to the
 * network's settings, and a database, by default a new one.
 */
export async function openMarket(
  changes: Partial<NetworkSettings> = {},
  given?: Kysely<Tables>,
): Promise<TestMarket> {
  const database = given ?? (await openTestDatabase());
  const chain = await startTestChain();
  const { collectible, seaport } = chain.fixtures;
  const network = {
    ...chain.network,
    follow: {
      pollMs: 250,
      headsUrl: chain.rpcUrl.replace(/^http/u, "ws"),
    },
    ...changes,
  };
  const [followed] = createNetworks([network], openChainClient).all;
  if (followed === undefined) throw new Error("the network is missing");
  const follower = followOrders({ database, log: silent }, followed);
  const platform = servePlatform(database, {
    // The last network is found by its chain ID.
    networks: [...otherNetworks(chain), network],
  });
  const { accessKey } = await createTestProject(platform.store);
  const settle = (): Promise<void> => waitForHead(database, followed);
  const on = (handle: string): MarketplaceClient =>
    createMarketplaceClient({
      baseUrl: "http://platform.test",
      parameters: { network: handle },
      credentials: { accessKey },
      fetch: async (input, init) => {
        // Orders are reported as of the last followed block.
        await settle().catch(() => undefined);
        return platform.fetch(input, init);
      },
    });
  const accounts = createFixtureAccounts();
  const [owner, user, other] = [
    accounts.owner,
    accounts.user,
    accounts.other,
  ].map((account) => openChainWallet(chain.rpcUrl, testChainId, account));
  if (owner === undefined || user === undefined || other === undefined) {
    throw new Error("an account is missing");
  }
  const client = on(network.handle);
  let lastTokenId = 100n;
  return {
    ...{ chain, database, client, on, owner, user, other, settle },
    network: followed,
    validate: async (maker, orders) => {
      await maker.writeContractSync({
        address: seaport,
        abi: seaportAbi,
        functionName: "validate",
        args: [orders.map(toSigned)],
        throwOnReceiptRevert: true,
      });
      await settle();
      const counter = await maker.readContract({
        address: seaport,
        abi: seaportAbi,
        functionName: "getCounter",
        args: [maker.account.address],
      });
      return orders.map((parameters) => hashOrder(parameters, counter));
    },
    read: async (contractAddress, orderId) => {
      const { orders } = await client.getOrders({
        input: [{ contractAddress, orderId }],
      });
      return orders[0] ?? null;
    },
    mint: async (to) => {
      lastTokenId += 1n;
      await owner.writeContractSync({
        address: collectible,
        abi: fixtureCollectible.abi,
        functionName: "mint",
        args: [to.account.address, lastTokenId],
        throwOnReceiptRevert: true,
      });
      const itemType = ItemType.Erc721;
      const token = collectible;
      return { itemType, token, tokenId: lastTokenId, quantity: 1n };
    },
    stop: async () => {
      await follower?.stop();
      await chain.stop();
    },
  };
}

/** Waits until a database contains the chain up to its last block. */
export async function waitForHead(
  database: Kysely<Tables>,
  network: Network,
): Promise<void> {
  const head = await network.head();
  const check = async (): Promise<void> => {
    const tip = await database
      .selectFrom("followed_blocks")
      .select("hash")
      .where("is_canonical", "=", true)
      .orderBy("number", "desc")
      .limit(1)
      .executeTakeFirst();
    expect(tip?.hash).toBe(head.hash);
  };
  await vi.waitFor(check, { interval: 25, timeout: 60_000 });
}

/** Approves an amount of a currency for a spender. */
export async function approve(
  maker: ChainWallet,
  currency: Address,
  spender: Address,
  amount: bigint,
): Promise<void> {
  await maker.writeContractSync({
    address: currency,
    abi: fixtureCoin.abi,
    functionName: "approve",
    args: [spender, amount],
    throwOnReceiptRevert: true,
  });
}

/** Returns an order as buyers pass it to the marketplace contract. */
export function toSigned(parameters: OrderParameters) {
  return { parameters, signature: "0x" } as const;
}

export const native = zeroAddress;
