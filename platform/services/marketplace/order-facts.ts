import { type Address, erc20Abi, type Hash, parseAbi, zeroAddress } from "viem";

import { Batch } from "../../network/batch.js";
import type { BlockHeader } from "../../network/block-header.js";
import { createHeadCache } from "../../network/head-cache.js";
import type { Network } from "../../network/networks.js";
import { seaportAbi } from "../../seaport/abi.js";
import type { Book } from "./book/book.js";
import type { StoredOrder } from "./book/find-orders.js";
import { interfaceIds } from "../metadata/read-contract.js";
import { askHoldings } from "./holdings.js";
import { createFindSpenders, type Spender } from "./spender.js";

/** The state of an order on the chain, independent of the time. */
export type OrderFacts = ReturnType<typeof askFacts>;

type Reading = Promise<ReadonlyMap<Hash, OrderFacts>>;

/**
 * Creates a function that reads the state of orders on the chain, given the last
 * block. It queries each order once per block.
 *
 * Returns the facts by order hash. Orders without a spender are left out.
 * Errors: `Unavailable` if the chain does not respond.
 */
export function createReadFacts() {
  const findSpenders = createFindSpenders();
  const readingsAt = createHeadCache<Reading>();
  const read = async (
    network: Network,
    book: Book,
    orders: readonly StoredOrder[],
    head: BlockHeader,
  ): Reading => {
    const forget = (): void => {
      const readings = readingsAt(network, head);
      for (const { row } of orders) readings.delete(row.order_hash);
    };
    try {
      const keys = orders.map(({ parameters }) => parameters.conduitKey);
      const spenders = await findSpenders(network, book, keys);
      const batch = new Batch(network);
      const facts = askAll(batch, book, orders, spenders);
      const isOfHead = await batch.runNear(head.hash);
      if (!isOfHead) forget();
      return facts;
    } catch (error) {
      forget();
      throw error;
    }
  };
  return async (
    network: Network,
    book: Book,
    head: BlockHeader,
    orders: readonly StoredOrder[],
  ): Reading => {
    const readings = readingsAt(network, head);
    const asked = new Map<Hash, Reading>();
    const news = [];
    for (const order of orders) {
      const reading = readings.get(order.row.order_hash);
      if (reading === undefined) news.push(order);
      else asked.set(order.row.order_hash, reading);
    }
    if (news.length > 0) {
      const reading = read(network, book, news, head);
      for (const { row } of news) {
        readings.set(row.order_hash, reading);
        asked.set(row.order_hash, reading);
      }
    }
    const facts = new Map<Hash, OrderFacts>();
    const take = async ([hash, reading]: [Hash, Reading]): Promise<void> => {
      const found = (await reading).get(hash);
      if (found !== undefined) facts.set(hash, found);
    };
    await Promise.all([...asked].map(take));
    return facts;
  };
}

function askAll(
  batch: Batch,
  book: Book,
  orders: readonly StoredOrder[],
  spenders: ReadonlyMap<Hash, Spender>,
): ReadonlyMap<Hash, OrderFacts> {
  const facts = new Map<Hash, OrderFacts>();
  for (const order of orders) {
    const spender = spenders.get(order.parameters.conduitKey);
    if (spender === undefined) continue;
    facts.set(order.row.order_hash, askFacts(batch, book, order, spender));
  }
  return facts;
}

const collectionAbi = parseAbi([
  "function supportsInterface(bytes4 id) view returns (bool)",
  "function royaltyInfo(uint256 tokenId, uint256 salePrice) view returns (address receiver, uint256 amount)",
]);

function askFacts(
  batch: Batch,
  { contract }: Book,
  order: StoredOrder,
  spender: Spender,
) {
  const { parameters, row, trade } = order;
  const abi = seaportAbi;
  return {
    status: batch.ask(contract, abi, "getOrderStatus", [row.order_hash]),
    counter: batch.ask(contract, abi, "getCounter", [parameters.offerer]),
    decimals: askDecimals(batch, trade.currency),
    isStandard: batch.ask(
      trade.collection,
      collectionAbi,
      "supportsInterface",
      [interfaceIds[trade.standard]],
    ),
    holdings: askHoldings(batch, order, spender, contract),
    royalty:
      trade.fees.length === 0
        ? () => null
        : batch.ask(trade.collection, collectionAbi, "royaltyInfo", [
            trade.tokenId ?? 0n,
            10_000n,
          ]),
  };
}

/**
 * Asks for a currency's decimals. Numbers above 255 count as none, because
 * formatting a price with millions of decimals would block the process.
 */
export function askDecimals(
  batch: Batch,
  currency: Address,
): () => number | null {
  if (currency === zeroAddress) return () => 18;
  const read = batch.ask(currency, erc20Abi, "decimals");
  return () => {
    // viem does not check that a uint8 has only 8 bits.
    const decimals = read();
    return decimals !== null && decimals <= 255 ? decimals : null;
  };
}
