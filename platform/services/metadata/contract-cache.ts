import type { Database } from "../../database/schema.js";
import type { Network } from "../../network/networks.js";
import type { LimitWork } from "../../process/concurrency/limit-work.js";
import { createShare } from "../../process/concurrency/share-work.js";
import { isContract } from "./call-contract.js";
import { createFindStored, saveContract } from "./contract-store.js";
import { type Contract, readContract } from "./read-contract.js";
import type { ContractPlace, DocumentSource } from "./reading.js";
import { drawReadNumber } from "./token-store.js";

/** Dependencies of the caches. */
export interface CacheParts {
  readonly database: Database;
  readonly source: DocumentSource;
  readonly limit: LimitWork;
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
  const share = createShare<Contract | null>();
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
  { database, source }: Omit<CacheParts, "limit">,
  place: ContractPlace,
  findStored = createFindStored(database),
): Promise<Contract | null> {
  const { network, contract } = place;
  const found = await findStored(network.chainId, [contract]);
  const known = found.get(contract);
  return known ?? refreshContract(database, source, place);
}

/**
 * Reads a contract and stores the result. Returns null if there is none.
 *
 * Errors: `Unavailable` if the chain does not respond.
 */
export async function refreshContract(
  database: Database,
  source: DocumentSource,
  place: ContractPlace,
): Promise<Contract | null> {
  if (!(await isContract(place))) return null;
  const number = await drawReadNumber(database);
  const reading = await readContract(source, place);
  await saveContract(database, place, number, reading);
  return reading.value;
}
