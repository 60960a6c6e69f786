import { LRUCache } from "lru-cache";
import { type Address, type Hex, zeroHash } from "viem";

import { Batch } from "../../network/batch.js";
import type { Network } from "../../network/networks.js";
import { conduitControllerAbi, seaportAbi } from "../../seaport/abi.js";
import type { Book } from "./book/book.js";

/** The contract that moves what the maker gives, with the maker's approval. */
export interface Spender {
  readonly address: Address;
  /**
   * The controller of the conduit, or null for the marketplace contract itself.
   */
  readonly controller: Address | null;
}

/**
 * Creates a function that finds the spender for each conduit key. It queries the
 * chain unless every spender is cached or is the marketplace contract itself.
 * Leaves out keys for which the chain reports no address. A conduit that does
 * not exist also has an address, but no contract can use it.
 *
 * Errors: `Unavailable` if the chain does not respond.
 */
export function createFindSpenders() {
  // A contract's conduit controller never changes, so read it once.
  const controllers = new Map<string, Address>();
  // Anyone can create conduits, so limit the cache.
  const conduits = new LRUCache<string, Spender>({ max: 10_000 });
  const controllerOf = async (network: Network, book: Book) => {
    const { contract } = book;
    const known = controllers.get(keyOf(book));
    if (known !== undefined) return known;
    const batch = new Batch(network);
    const information = batch.ask(contract, seaportAbi, "information");
    await batch.run();
    const controller = information()?.[2] ?? null;
    if (controller !== null) controllers.set(keyOf(book), controller);
    return controller;
  };
  return async (
    network: Network,
    book: Book,
    conduitKeys: readonly Hex[],
  ): Promise<ReadonlyMap<Hex, Spender>> => {
    const own = { address: book.contract, controller: null };
    const spenders = new Map<Hex, Spender>([[zeroHash, own]]);
    const unknown = new Set<Hex>();
    for (const key of conduitKeys) {
      const known = conduits.get(`${keyOf(book)} ${key}`);
      if (known !== undefined) spenders.set(key, known);
      else if (key !== zeroHash) unknown.add(key);
    }
    if (unknown.size === 0) return spenders;
    const controller = await controllerOf(network, book);
    if (controller === null) return spenders;
    const batch = new Batch(network);
    const abi = conduitControllerAbi;
    const questions = [...unknown].map(
      (key) => [key, batch.ask(controller, abi, "getConduit", [key])] as const,
    );
    await batch.run();
    for (const [key, conduit] of questions) {
      const [address] = conduit() ?? [];
      if (address === undefined) continue;
      const spender = { address, controller };
      conduits.set(`${keyOf(book)} ${key}`, spender);
      spenders.set(key, spender);
    }
    return spenders;
  };
}

/** Chains can have different contracts at the same address. */
function keyOf({ chainId, contract }: Book): string {
  return `${chainId} ${contract}`;
}
