import type { NoteStored } from "../../database/growth-limit.js";
import type { Database } from "../../database/schema.js";
import { limitDocuments } from "../../database/stored-documents.js";
import type { Network } from "../../network/networks.js";
import type { Platform } from "../../parts/platform.js";
import { createShare } from "../../process/concurrency/share-work.js";
import { isContract } from "./call-contract.js";
import { createFindStored, saveContract } from "./contract-store.js";
import type { LimitReads } from "./limit-reads.js";
import { type Contract, readContract } from "./read-contract.js";
import type { ContractPlace, DocumentSource, Stored } from "./reading.js";
import { drawReadNumber } from "./token-store.js";

/** Reads documents and stores them. */
export interface ReadingParts {
  readonly database: Database;
  readonly source: DocumentSource;
  readonly noteStored: NoteStored;
}

/** Returns the parts of a platform that read documents. */
export function readingPartsOf(platform: Platform): ReadingParts {
  const { database, outbound, settings } = platform;
  const source = { outbound, ipfsGateway: settings.ipfsGateway };
  return { database, source, noteStored: limitDocuments(platform) };
}

/** Dependencies of the caches. */
export interface CacheParts extends ReadingParts {
  readonly limit: LimitReads;
}

/**
 * Returns the contracts on a network by address. Addresses without a contract
 * are left out. Each contract is read on first use and stored in the database
 * until it is refreshed. Callers take turns.
 *
 * Input: addresses in lowercase.
 * Errors: `Unavailable` if the chain is needed but does not respond, or if too
 * many reads are queued.
 */
export type ContractCache = (
  network: Network,
  contracts: readonly string[],
  caller: string,
) => Promise<Map<string, Contract>>;

/** Creates the cache of contracts. */
export function createContractCache(parts: CacheParts): ContractCache {
  const findStored = createFindStored(parts.database);
  const share = createShare<Stored<Contract | null>>();
  return async (network, contracts, caller) => {
    const { chainId } = network;
    const found = await findStored(chainId, contracts);
    const missing = contracts.filter((contract) => !found.has(contract));
    const read = missing.map(async (contract) => {
      const place = { network, contract };
      const find = () => findContract(parts, place, findStored);
      // Whoever waits for the same contract does so when it is its own turn.
      const answer = await parts.limit(
        () => share(`${chainId}/${contract}`, find),
        caller,
      );
      if (answer !== null) found.set(contract, answer);
    });
    await Promise.all(read);
    return found;
  };
}

/**
 * Returns a contract, or null if there is none. Reads it if it is not stored, or
 * could not be read completely and is due for another attempt.
 *
 * Errors: `Unavailable` if the chain is needed but does not respond.
 */
export async function findContract(
  parts: ReadingParts,
  place: ContractPlace,
  findStored = createFindStored(parts.database),
): Promise<Stored<Contract | null>> {
  const { network, contract } = place;
  const found = await findStored(network.chainId, [contract]);
  const known = found.get(contract);
  return known === undefined
    ? refreshContract(parts, place)
    : { value: known, bytes: 0 };
}

/**
 * Reads a contract and stores the result. Returns null if there is none.
 *
 * Errors: `Unavailable` if the chain does not respond.
 */
export async function refreshContract(
  { database, noteStored, source }: ReadingParts,
  place: ContractPlace,
): Promise<Stored<Contract | null>> {
  if (!(await isContract(place))) return { value: null, bytes: 0 };
  const number = await drawReadNumber(database);
  const reading = await readContract(source, place);
  const bytes = await saveContract(database, place, number, reading);
  await noteStored(bytes);
  return { value: reading.value, bytes };
}
