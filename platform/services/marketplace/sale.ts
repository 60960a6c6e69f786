import { type Address, parseAbi } from "viem";

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
  /** In seconds; an end of 0 is no sale. */
  readonly startTime: bigint;
  readonly endTime: bigint;
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

/**
 * What items cost in a sales contract, of the kinds that there are.
 *
 * Output: null when it is none, or does not sell one of them now.
 * Errors: `Unavailable` when the chain does not answer.
 */
export async function readSalePrice(
  network: Network,
  contract: Address,
  items: readonly SaleItem[],
): Promise<SalePrice | null> {
  const batch = new Batch(network);
  const readCurrency = askCurrency(batch, contract);
  const readTerms = items.map(({ tokenId }) =>
    askTerms(batch, contract, tokenId),
  );
  const time = currentTime(await batch.run());
  const currency = readCurrency();
  if (currency === null) return null;
  let total = 0n;
  for (const [index, { quantity }] of items.entries()) {
    const terms = readTerms[index]?.().find((each) => isOpen(each, time));
    if (terms === undefined) return null;
    total += terms.cost * quantity;
  }
  return { currency, total };
}

function askCurrency(batch: Batch, contract: Address): () => Address | null {
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

/** Asks on what terms a token is sold; what comes first goes before the rest. */
function askTerms(
  batch: Batch,
  contract: Address,
  tokenId: bigint,
): () => readonly Terms[] {
  const single = batch.ask(contract, {
    abi: itemsSaleAbi,
    functionName: "tokenSaleDetails",
    args: [tokenId],
  });
  const functionName = "globalSaleDetails";
  const all = batch.ask(contract, { abi: itemsSaleAbi, functionName });
  const ofRange = batch.ask(contract, { abi: rangeSaleAbi, functionName });
  const ofCollection = batch.ask(contract, {
    abi: collectionSaleAbi,
    functionName: "saleDetails",
  });
  return () => {
    const range = ofRange();
    const isIn =
      range !== null &&
      tokenId >= range.minTokenId &&
      tokenId <= range.maxTokenId;
    // Read as the older one, the newer one would have other fields in its place.
    const general = range === null ? all() : isIn ? range : null;
    return [single(), general, ofCollection()].filter((each) => each !== null);
  };
}

function isOpen({ startTime, endTime }: Terms, time: bigint): boolean {
  return startTime <= time && time <= endTime;
}
