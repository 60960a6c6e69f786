import {
  type Address,
  concatHex,
  createTestClient,
  encodeDeployData,
  erc20Abi,
  http,
  parseEther,
  parseUnits,
  toHex,
  zeroHash,
} from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";

import { fixtureCoin } from "../../chain/artifacts/fixture-coin.js";
import { fixtureItems } from "../../chain/artifacts/fixture-items.js";
import {
  type ChainWallet,
  deployOnce,
  openChainWallet,
} from "../../chain/chain-wallet.js";
import { conduitControllerAbi, seaportAbi } from "../../seaport/abi.js";
import { type Item, makeOffer } from "../../seaport/make-order.js";
import { ItemType, type OrderParameters } from "../../seaport/order.js";
import { pick } from "../crash/random.js";
import { testChainId } from "../support/start-chain.js";
import { traps } from "./fillable.js";
import { conduitAdminAbi } from "./kinds.js";
import { approve, type TestMarket } from "./open-market.js";

/** An offer that was put on the chain. */
export interface RandomOffer {
  readonly maker: ChainWallet;
  readonly parameters: OrderParameters;
  /** The maker's counter at that time. */
  readonly counter: bigint;
  /** Whether the platform must find it if Seaport can fill it. */
  readonly isSupported: boolean;
}

/** Accounts and contracts for random offers. */
export interface BookParts {
  readonly market: TestMarket;
  readonly random: () => number;
  readonly makers: readonly ChainWallet[];
  readonly currencies: readonly Currency[];
  readonly conduit: Awaited<ReturnType<typeof createConduit>>;
}

interface Currency {
  readonly address: Address;
  /** About one dollar. */
  readonly unit: bigint;
}

/** An hour, in seconds. */
const hour = 3600n;

/**
 * Creates makers with funds. The user can pay the fees of all offers, and has
 * approved the transfer of any token.
 */
export async function openBook(
  market: TestMarket,
  random: () => number,
): Promise<BookParts> {
  const { chain, owner, user } = market;
  const { collectible, dollar, gold, items, seaport } = chain.fixtures;
  const anvil = createTestClient({
    mode: "anvil",
    transport: http(chain.rpcUrl),
  });
  // The chain's clock then determines the prices.
  await anvil.increaseTime({ seconds: 24 * Number(hour) });
  await anvil.mine({ blocks: 1 });
  const args = [owner.account.address, "Unknown", "UNK", 6] as const;
  const unknown = await deployOnce(
    owner,
    encodeDeployData({ ...fixtureCoin, args }),
  );
  const currencies = [
    { address: dollar, unit: parseUnits("1", 6) },
    { address: gold, unit: parseEther("0.0005") },
    { address: chain.fixtures.wrappedNative, unit: parseEther("0.0005") },
    { address: unknown, unit: 1n },
  ];
  const conduit = await createConduit(owner, seaport);
  const makers = await Promise.all(
    [0, 1, 2, 3].map(async () => {
      const account = privateKeyToAccount(generatePrivateKey());
      const value = parseEther("1000");
      await anvil.setBalance({ address: account.address, value });
      return openChainWallet(chain.rpcUrl, testChainId, account);
    }),
  );
  const parts = { market, random, makers, currencies, conduit };
  await switchConduit(parts);
  for (const wallet of [...makers, user]) {
    for (const currency of currencies) {
      await fund(parts, wallet, currency);
      for (const spender of [seaport, conduit.address]) {
        await approve(wallet, currency.address, spender, 2n ** 200n);
      }
    }
  }
  for (const address of [collectible, items]) {
    await user.writeContractSync({
      ...{ address, abi: fixtureItems.abi, functionName: "setApprovalForAll" },
      args: [seaport, true],
    });
  }
  return parts;
}

async function createConduit(owner: ChainWallet, seaport: Address) {
  const key = concatHex([owner.account.address, toHex(7n, { size: 12 })]);
  const [, , controller] = await owner.readContract({
    ...{ address: seaport, abi: seaportAbi, functionName: "information" },
  });
  const conduits = { address: controller, abi: conduitAdminAbi } as const;
  await owner.writeContractSync({
    ...{ ...conduits, functionName: "createConduit" },
    args: [key, owner.account.address],
    throwOnReceiptRevert: true,
  });
  const [address] = await owner.readContract({
    ...{ ...conduits, functionName: "getConduit", args: [key] },
  });
  return { key, address, controller };
}

/** Gives a wallet about a thousand dollars in a currency. */
async function fund(
  { market: { chain, owner } }: Pick<BookParts, "market">,
  wallet: ChainWallet,
  { address, unit }: Currency,
): Promise<void> {
  const amount = 1000n * unit;
  if (address === chain.fixtures.wrappedNative) {
    await wallet.sendTransactionSync({ to: address, value: amount });
    return;
  }
  await owner.writeContractSync({
    ...{ address, abi: fixtureCoin.abi, functionName: "mint" },
    args: [wallet.account.address, amount],
    throwOnReceiptRevert: true,
  });
}

/**
 * Mints a new token for the user: at random, a unique one or 1000 of an
 * ERC-1155 token.
 */
export async function drawItem({ market, random }: BookParts): Promise<Item> {
  const { chain, mint, owner, user } = market;
  if (random() < 0.5) return mint(user);
  const tokenId = BigInt(1000 + Math.floor(1e9 * random()));
  await owner.writeContractSync({
    address: chain.fixtures.items,
    abi: fixtureItems.abi,
    functionName: "mint",
    args: [user.account.address, tokenId, 1000n],
    throwOnReceiptRevert: true,
  });
  const itemType = ItemType.Erc1155;
  return { itemType, token: chain.fixtures.items, tokenId, quantity: 1n };
}

/** Draws offers of one maker and puts them on the chain. */
export async function drawOffers(
  parts: BookParts,
  item: Item,
  count: number,
): Promise<ReadonlyMap<string, RandomOffer>> {
  const { makers, market, random } = parts;
  const maker = pick(random, makers);
  const { timestamp } = await maker.getBlock();
  const drawn = Array.from({ length: count }, () => {
    const parameters = drawTerms(parts, item, maker, timestamp);
    if (random() < 0.8) return { parameters, isSupported: true };
    const change = pick(random, Object.values(traps));
    const trap = { ...parameters, ...change(parameters) };
    return { parameters: trap, isSupported: false };
  });
  const ids = await market.validate(
    maker,
    drawn.map(({ parameters }) => parameters),
  );
  const counter = await readCounter(market, maker);
  return new Map(
    drawn.map((each, index) => [
      ids[index] ?? zeroHash,
      { ...each, maker, counter },
    ]),
  );
}

function drawTerms(
  { conduit, currencies, random }: BookParts,
  item: Item,
  maker: ChainWallet,
  now: bigint,
): OrderParameters {
  const below = (count: number): bigint => BigInt(Math.floor(count * random()));
  const { address: currency, unit } = pick(random, currencies);
  const isAny = random() < 0.3;
  const isUnique = item.itemType === ItemType.Erc721;
  const quantity = isUnique ? 1n : 1n + below(6);
  // Some prices do not divide evenly.
  const price = quantity * unit * (1n + below(600)) + (below(3) * unit) / 7n;
  const fees = Array.from({ length: Number(below(3)) }, () => ({
    recipient: maker.account.address,
    amount: (price * (1n + below(3000))) / 10_000n + 1n,
  }));
  const base = makeOffer({
    ...{ maker: maker.account.address, currency, price, fees },
    item: {
      // The item type for criteria is two higher.
      ...{ ...item, itemType: item.itemType + (isAny ? 2 : 0) },
      ...{ tokenId: isAny ? 0n : item.tokenId, quantity },
    },
    changes: {
      orderType: Number(below(2)),
      salt: below(2 ** 53),
      conduitKey: pick(random, [
        ...[zeroHash, zeroHash, zeroHash, conduit.key],
        toHex(7n, { size: 32 }),
      ]),
      ...pick(random, [
        ...[{}, {}, {}, {}],
        { endTime: now - hour },
        { startTime: now + hour },
        { endTime: now + 2n * hour },
      ]),
    },
  });
  const isAuction = random() < 0.2;
  const percent = 50n + below(100);
  const change = <Each extends OrderParameters["offer"][number]>(each: Each) =>
    each.token === currency
      ? { ...each, endAmount: (each.startAmount * percent) / 100n + 1n }
      : each;
  if (!isAuction) return base;
  return {
    ...base,
    ...{ startTime: now - 5n * hour, endTime: now + 5n * hour },
    offer: base.offer.map(change),
    consideration: base.consideration.map(change),
  };
}

function readCounter(
  { chain }: TestMarket,
  maker: ChainWallet,
): Promise<bigint> {
  return maker.readContract({
    ...{ address: chain.fixtures.seaport, abi: seaportAbi },
    ...{ functionName: "getCounter", args: [maker.account.address] },
  });
}

/** Changes something on the chain that offers depend on. */
export async function changeBook(
  parts: BookParts,
  offers: ReadonlyMap<string, RandomOffer>,
): Promise<void> {
  const { conduit, currencies, makers, market, random } = parts;
  const { chain, owner, settle } = market;
  const seaport = { address: chain.fixtures.seaport, abi: seaportAbi } as const;
  const maker = pick(random, makers);
  const currency = pick(random, currencies);
  const { address, unit } = currency;
  const amount = BigInt(Math.floor(2000 * random())) * unit;
  const acts: readonly (() => Promise<unknown>)[] = [
    () =>
      approve(
        ...([maker, address] as const),
        pick(random, [seaport.address, conduit.address]),
        pick(random, [0n, amount, 2n ** 200n]),
      ),
    async () => {
      const balance = await maker.readContract({
        ...{ address, abi: erc20Abi, functionName: "balanceOf" },
        args: [maker.account.address],
      });
      await maker.writeContractSync({
        ...{ address, abi: erc20Abi, functionName: "transfer" },
        args: [owner.account.address, amount < balance ? amount : balance],
        throwOnReceiptRevert: true,
      });
    },
    () => fund(parts, maker, currency),
    async () => {
      const { maker, counter, parameters } = pick(random, [...offers.values()]);
      await maker.writeContractSync({
        ...{ ...seaport, functionName: "cancel" },
        args: [[{ ...parameters, counter }]],
      });
    },
    async () => {
      if (random() < 0.3)
        await maker.writeContractSync({
          ...{ ...seaport, functionName: "incrementCounter" },
        });
    },
    () => switchConduit(parts),
    async () => {
      const anvil = createTestClient({
        mode: "anvil",
        transport: http(chain.rpcUrl),
      });
      await anvil.increaseTime({ seconds: Number(hour) });
      await anvil.mine({ blocks: 1 });
    },
  ];
  await pick(random, acts)();
  await settle();
}

/** Opens or closes the conduit for the marketplace contract. */
async function switchConduit({
  conduit,
  market: { chain, owner },
}: BookParts): Promise<void> {
  const { controller, address } = conduit;
  const { seaport } = chain.fixtures;
  const isOpen = await owner.readContract({
    ...{ address: controller, abi: conduitControllerAbi },
    ...{ functionName: "getChannelStatus", args: [address, seaport] },
  });
  await owner.writeContractSync({
    ...{ address: controller, abi: conduitAdminAbi },
    ...{ functionName: "updateChannel", args: [address, seaport, !isOpen] },
    throwOnReceiptRevert: true,
  });
}
