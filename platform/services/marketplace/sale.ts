import {
  type Address,
  type Hex,
  isAddressEqual,
  keccak256,
  parseAbi,
  toHex,
  zeroHash,
} from "viem";

import { Batch } from "../../network/batch.js";
import { currentTime } from "../../network/moment.js";
import type { Network } from "../../network/networks.js";

/** So many of a token. */
export interface SaleItem {
  readonly tokenId: bigint;
  readonly quantity: bigint;
}

/** What items cost. */
export interface SalePrice {
  /** The zero address is the native currency. */
  readonly currency: Address;
  readonly total: bigint;
}

/** What sales contracts say of a price. */
interface Terms {
  readonly cost: bigint;
  /** What is left of it, or the most that there may be. */
  readonly supply: bigint;
  /** In seconds. */
  readonly startTime: bigint;
  /** In seconds; it is over then. 0 is no sale. */
  readonly endTime: bigint;
  /** Of those who may buy; zero: all may. */
  readonly merkleRoot: Hex;
}

/** Of ERC-1155 collections: one currency, prices for all tokens or for one. */
const itemsSaleAbi = parseAbi([
  "struct Terms { uint256 cost; uint256 supply; uint64 startTime; uint64 endTime; bytes32 merkleRoot; }",
  "function paymentToken() view returns (address)",
  "function globalSaleDetails() view returns (Terms)",
  "function tokenSaleDetails(uint256 tokenId) view returns (Terms)",
]);

/** The same, of newer ones: the price for all is that for a range of tokens. */
const rangeSaleAbi = parseAbi([
  "struct RangeTerms { uint256 minTokenId; uint256 maxTokenId; uint256 cost; uint256 supply; uint64 startTime; uint64 endTime; bytes32 merkleRoot; }",
  "function globalSaleDetails() view returns (RangeTerms)",
]);

/** Of ERC-721 collections: one price for all tokens. */
const collectionSaleAbi = parseAbi([
  "struct CollectionTerms { uint256 supply; uint256 cost; address paymentToken; uint64 startTime; uint64 endTime; bytes32 merkleRoot; }",
  "function saleDetails() view returns (CollectionTerms)",
]);

/** Which collection a sales contract sells, and what there is of it. */
const collectionAbi = parseAbi([
  "function itemsContract() view returns (address)",
  "function items() view returns (address)",
  "function hasRole(bytes32 role, address account) view returns (bool)",
  "function totalSupply() view returns (uint256)",
  "function tokenSupply(uint256 tokenId) view returns (uint256)",
]);

const minterRole = keccak256(toHex("MINTER_ROLE"));

/** What is sold, by whom. */
export interface Sale {
  readonly contract: Address;
  readonly collection: Address;
}

/**
 * What items cost in a sales contract, of the kinds that there are.
 *
 * Output: null when it is none, does not sell this collection, or does not sell
 * so many of one of them to everybody now.
 * Errors: `Unavailable` when the chain does not answer.
 */
export async function readSalePrice(
  network: Network,
  sale: Sale,
  items: readonly SaleItem[],
): Promise<SalePrice | null> {
  const batch = new Batch(network);
  const readCurrency = askCurrency(batch, sale);
  const isOfSale = askWhetherOfSale(batch, sale);
  const merged = mergeItems(items);
  const all = merged.reduce((sum, { quantity }) => sum + quantity, 0n);
  const readTerms = merged.map((item) => askTerms(batch, sale, item, all));
  const time = currentTime(await batch.run());
  const currency = readCurrency();
  if (currency === null || !isOfSale()) return null;
  let total = 0n;
  for (const [index, { quantity }] of merged.entries()) {
    const terms = readTerms[index]?.(time) ?? null;
    // Who is on a list of buyers can prove it; we cannot tell.
    if (terms === null || terms.merkleRoot !== zeroHash) return null;
    total += terms.cost * quantity;
  }
  return { currency, total };
}

/** Each token once. */
function mergeItems(items: readonly SaleItem[]): readonly SaleItem[] {
  const quantities = new Map<bigint, bigint>();
  for (const { tokenId, quantity } of items) {
    quantities.set(tokenId, (quantities.get(tokenId) ?? 0n) + quantity);
  }
  return [...quantities].map(([tokenId, quantity]) => ({ tokenId, quantity }));
}

function askCurrency(batch: Batch, { contract }: Sale): () => Address | null {
  const ofItems = batch.ask(contract, {
    abi: itemsSaleAbi,
    functionName: "paymentToken",
  });
  const ofCollection = batch.ask(contract, {
    abi: collectionSaleAbi,
    functionName: "saleDetails",
  });
  return () => ofItems() ?? ofCollection()?.paymentToken ?? null;
}

/** Sales contracts name their collection, or may at least mint in it. */
function askWhetherOfSale(
  batch: Batch,
  { contract, collection }: Sale,
): () => boolean {
  const abi = collectionAbi;
  const names = (["itemsContract", "items"] as const).map((functionName) =>
    batch.ask(contract, { abi, functionName }),
  );
  const mayMint = batch.ask(collection, {
    abi,
    functionName: "hasRole",
    args: [minterRole, contract],
  });
  return () => {
    const named = names.map((read) => read()).find((each) => each !== null);
    return named === undefined
      ? isAddressEqual(contract, collection) || mayMint() === true
      : isAddressEqual(named, collection);
  };
}

/**
 * Asks on what terms a token is sold, at a time; those for it alone go before
 * those for all.
 *
 * Input: how much of all tokens is bought.
 * Output: null when it is not sold, or there is not enough of it.
 */
function askTerms(
  batch: Batch,
  { contract, collection }: Sale,
  { tokenId, quantity }: SaleItem,
  all: bigint,
): (time: bigint) => Terms | null {
  const readSingle = batch.ask(contract, {
    abi: itemsSaleAbi,
    functionName: "tokenSaleDetails",
    args: [tokenId],
  });
  const functionName = "globalSaleDetails";
  const readAll = batch.ask(contract, { abi: itemsSaleAbi, functionName });
  const readRange = batch.ask(contract, { abi: rangeSaleAbi, functionName });
  const readCollection = batch.ask(contract, {
    abi: collectionSaleAbi,
    functionName: "saleDetails",
  });
  const abi = collectionAbi;
  const countAll = batch.ask(collection, { abi, functionName: "totalSupply" });
  const countToken = batch.ask(collection, {
    abi,
    functionName: "tokenSupply",
    args: [tokenId],
  });
  return (time) => {
    const [single, range] = [readSingle(), readRange()];
    const isOpenNow = (terms: Terms | null): boolean =>
      terms !== null && terms.startTime <= time && time < terms.endTime;
    if (range !== null) {
      // Newer ones tell what is left, of a range of tokens together.
      if (isOpenNow(single))
        return single && quantity <= single.supply ? single : null;
      const isIn = range.minTokenId <= tokenId && tokenId <= range.maxTokenId;
      return isIn && isOpenNow(range) && all <= range.supply ? range : null;
    }
    // Older ones tell the most that there may be, 0 for any number.
    const general = [readAll(), readCollection()];
    const fits = (cap: bigint, count: bigint | null, more: bigint): boolean =>
      cap === 0n || (count ?? 0n) + more <= cap;
    const isEnough =
      fits(single?.supply ?? 0n, countToken(), quantity) &&
      general.every((terms) => fits(terms?.supply ?? 0n, countAll(), all));
    const open = [single, ...general].find(isOpenNow) ?? null;
    return isEnough ? open : null;
  };
}
