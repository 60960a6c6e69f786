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

/** A quantity of a token. */
export interface SaleItem {
  readonly tokenId: bigint;
  readonly quantity: bigint;
}

/** The price of items. */
export interface SalePrice {
  /** The zero address means the native currency. */
  readonly currency: Address;
  readonly total: bigint;
}

/** The terms of sale for one or more tokens in a sales contract. */
interface Terms {
  readonly cost: bigint;
  /**
   * The remaining supply in newer contracts, or the maximum total supply in
   * older ones.
   */
  readonly supply: bigint;
  /** The start of the sale, in Unix seconds. */
  readonly startTime: bigint;
  /** The exclusive end of the sale, in Unix seconds. 0 means no sale. */
  readonly endTime: bigint;
  /** The Merkle root of the list of buyers, or zero if everyone may buy. */
  readonly merkleRoot: Hex;
}

/**
 * ERC-1155 sales: one currency, and prices for all tokens or for a single one.
 */
const itemsSaleAbi = parseAbi([
  "struct Terms { uint256 cost; uint256 supply; uint64 startTime; uint64 endTime; bytes32 merkleRoot; }",
  "function paymentToken() view returns (address)",
  "function globalSaleDetails() view returns (Terms)",
  "function tokenSaleDetails(uint256 tokenId) view returns (Terms)",
]);

/** Newer ERC-1155 sales: prices apply to a range of tokens. */
const rangeSaleAbi = parseAbi([
  "struct RangeTerms { uint256 minTokenId; uint256 maxTokenId; uint256 cost; uint256 supply; uint64 startTime; uint64 endTime; bytes32 merkleRoot; }",
  "function globalSaleDetails() view returns (RangeTerms)",
]);

/** ERC-721 sales: one price for all tokens. */
const collectionSaleAbi = parseAbi([
  "struct CollectionTerms { uint256 supply; uint256 cost; address paymentToken; uint64 startTime; uint64 endTime; bytes32 merkleRoot; }",
  "function saleDetails() view returns (CollectionTerms)",
]);

/** The collection of a sales contract, and the collection's supply. */
const collectionAbi = parseAbi([
  "function itemsContract() view returns (address)",
  "function items() view returns (address)",
  "function hasRole(bytes32 role, address account) view returns (bool)",
  "function totalSupply() view returns (uint256)",
  "function tokenSupply(uint256 tokenId) view returns (uint256)",
]);

const minterRole = keccak256(toHex("MINTER_ROLE"));

/** A collection that is for sale, with its sales contract. */
export interface Sale {
  readonly contract: Address;
  readonly collection: Address;
}

/**
 * Returns the price of items in a sales contract of any known kind.
 *
 * Returns null if the contract is not a sales contract, does not sell this
 * collection, or does not currently sell the requested quantity of each item to
 * everyone.
 * Errors: `Unavailable` if the chain does not respond.
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
    // A buyer on the list can submit a proof, but the platform cannot check who
    // is on the list.
    if (terms === null || terms.merkleRoot !== zeroHash) return null;
    total += terms.cost * quantity;
  }
  return { currency, total };
}

/** Adds up the quantities of each token. */
function mergeItems(items: readonly SaleItem[]): readonly SaleItem[] {
  const quantities = new Map<bigint, bigint>();
  for (const { tokenId, quantity } of items) {
    quantities.set(tokenId, (quantities.get(tokenId) ?? 0n) + quantity);
  }
  return [...quantities].map(([tokenId, quantity]) => ({ tokenId, quantity }));
}

function askCurrency(batch: Batch, { contract }: Sale): () => Address | null {
  const ofItems = batch.ask(contract, itemsSaleAbi, "paymentToken");
  const ofCollection = batch.ask(contract, collectionSaleAbi, "saleDetails");
  return () => ofItems() ?? ofCollection()?.paymentToken ?? null;
}

/**
 * Asks whether a sales contract names the collection. A contract that names
 * none must be the collection itself or be allowed to mint in it.
 */
function askWhetherOfSale(
  batch: Batch,
  { contract, collection }: Sale,
): () => boolean {
  const abi = collectionAbi;
  const names = (["itemsContract", "items"] as const).map((functionName) =>
    batch.ask(contract, abi, functionName),
  );
  const mayMint = batch.ask(collection, abi, "hasRole", [minterRole, contract]);
  return () => {
    const named = names.map((read) => read()).find((each) => each !== null);
    return named === undefined
      ? isAddressEqual(contract, collection) || mayMint() === true
      : isAddressEqual(named, collection);
  };
}

/**
 * Asks for the terms of sale of a token. Terms for a single token take
 * precedence over terms for all tokens.
 *
 * Input: `all` is the total quantity of all tokens in the purchase.
 * Returns a function that returns the terms at a given time, or null if the
 * token is not sold then or the supply is insufficient.
 */
function askTerms(
  batch: Batch,
  { contract, collection }: Sale,
  { tokenId, quantity }: SaleItem,
  all: bigint,
): (time: bigint) => Terms | null {
  const readSingle = batch.ask(contract, itemsSaleAbi, "tokenSaleDetails", [
    tokenId,
  ]);
  const readAll = batch.ask(contract, itemsSaleAbi, "globalSaleDetails");
  const readRange = batch.ask(contract, rangeSaleAbi, "globalSaleDetails");
  const readCollection = batch.ask(contract, collectionSaleAbi, "saleDetails");
  const abi = collectionAbi;
  const countAll = batch.ask(collection, abi, "totalSupply");
  const countToken = batch.ask(collection, abi, "tokenSupply", [tokenId]);
  return (time) => {
    const [single, range] = [readSingle(), readRange()];
    const isOpenNow = (terms: Terms | null): boolean =>
      terms !== null && terms.startTime <= time && time < terms.endTime;
    if (range !== null) {
      // Newer contracts report the remaining supply of a range of tokens.
      if (isOpenNow(single))
        return single && quantity <= single.supply ? single : null;
      const isIn = range.minTokenId <= tokenId && tokenId <= range.maxTokenId;
      return isIn && isOpenNow(range) && all <= range.supply ? range : null;
    }
    // Older contracts report the maximum total supply; 0 means no limit.
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
