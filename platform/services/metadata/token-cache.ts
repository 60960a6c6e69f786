import type { TokenMetadata } from "../../../generated/metadata/types.js";
import { createShare } from "../../process/concurrency/share-work.js";
import { giveWay } from "../../process/concurrency/give-way.js";
import type { CacheParts, ContractCache } from "./contract-cache.js";
import type { Contract } from "./read-contract.js";
import { describeToken, hasDocuments, readToken } from "./read-token.js";
import type { ContractPlace, Stored } from "./reading.js";
import {
  createFindTokens,
  drawReadNumber,
  type FindTokens,
  keyOf,
  saveTokens,
} from "./token-store.js";

/**
 * Returns tokens of a contract, one per ID in order. Each one is read on first
 * use and stored in the database until it is refreshed. Callers take turns.
 *
 * Input: `known` is the contract if it has been read, or null if there is none.
 * Errors: `Unavailable` if the chain is needed but does not respond, or if too
 * many reads are queued.
 */
export type TokenCache = (
  place: ContractPlace,
  tokenIds: readonly string[],
  caller: string,
  known?: Contract | null,
) => Promise<TokenMetadata[]>;

/** Creates the cache of tokens. */
export function createTokenCache(
  parts: CacheParts,
  findContracts: ContractCache,
): TokenCache {
  const share = createShare<Stored<TokenMetadata>>();
  const findTokens = createFindTokens(parts.database);
  const findContract = async (place: ContractPlace, caller: string) => {
    const found = await findContracts(place.network, [place.contract], caller);
    return found.get(place.contract) ?? null;
  };
  return async (place, tokenIds, caller, known) => {
    const found =
      known === null
        ? new Map<string, TokenMetadata>()
        : await findTokens(place, tokenIds);
    const missing = new Set(tokenIds.filter((id) => !found.has(id)));
    if (missing.size > 0) {
      const contract =
        known === undefined ? await findContract(place, caller) : known;
      if (!hasDocuments(contract)) {
        // There is nothing to read. Anyone can ask for any ID, so store nothing.
        for (const id of missing) {
          await giveWay();
          found.set(id, describeToken(parts.source, place, contract, id));
        }
        return tokenIds.flatMap((id) => found.get(id) ?? []);
      }
      const number = await drawReadNumber(parts.database);
      const read = [...missing].map(async (id) => {
        const wanted = { place, contract, id, number };
        const find = () => readAndSave(parts, findTokens, wanted);
        // Whoever waits for the same token does so when it is its own turn.
        const token = await parts.limit(
          () => share(keyOf(place, id), find),
          caller,
        );
        found.set(id, token);
      });
      await Promise.all(read);
    }
    return tokenIds.flatMap((id) => found.get(id) ?? []);
  };
}

/** A token to read. */
interface WantedToken {
  readonly place: ContractPlace;
  readonly contract: Contract;
  readonly id: string;
  /** The sequence number of the read. */
  readonly number: number;
}

async function readAndSave(
  { database, noteStored, source }: CacheParts,
  findTokens: FindTokens,
  { place, contract, id, number }: WantedToken,
): Promise<Stored<TokenMetadata>> {
  // Another caller may have just finished reading it.
  const known = await findTokens(place, [id]);
  const token = known.get(id);
  if (token !== undefined) return { value: token, bytes: 0 };
  const reading = await readToken(source, place, contract, id);
  const bytes = await saveTokens(database, place, number, [reading]);
  await noteStored(bytes);
  return { value: reading.value, bytes };
}
