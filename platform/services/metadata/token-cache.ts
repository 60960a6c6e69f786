import type { TokenMetadata } from "../../../generated/metadata/types.js";
import { createShare } from "../../process/concurrency/share-work.js";
import type { CacheParts, ContractCache } from "./contract-cache.js";
import type { Contract } from "./read-contract.js";
import { readToken } from "./read-token.js";
import type { ContractPlace } from "./reading.js";
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
 * Errors: `Unavailable` if the chain is needed but does not respond, or if too
 * many reads are queued.
 */
export type TokenCache = (
  place: ContractPlace,
  tokenIds: readonly string[],
  caller: string,
) => Promise<TokenMetadata[]>;

/** Creates the cache of tokens. */
export function createTokenCache(
  parts: CacheParts,
  findContracts: ContractCache,
): TokenCache {
  const share = createShare<TokenMetadata>();
  const findTokens = createFindTokens(parts.database);
  return async (place, tokenIds, caller) => {
    const found = await findTokens(place, tokenIds);
    const missing = new Set(tokenIds.filter((id) => !found.has(id)));
    if (missing.size > 0) {
      const { contract: address, network } = place;
      const contracts = await findContracts(network, [address], caller);
      const contract = contracts.get(address);
      if (contract === undefined) {
        // There is nothing to read or to store.
        for (const id of missing) {
          const { value } = await readToken(parts.source, place, null, id);
          found.set(id, value);
        }
        return tokenIds.flatMap((id) => found.get(id) ?? []);
      }
      const number = await drawReadNumber(parts.database);
      const read = [...missing].map(async (id) => {
        const wanted = { place, contract, id, number };
        const token = await share(keyOf(place, id), () =>
          parts.limit(() => readAndSave(parts, findTokens, wanted), caller),
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
  { database, source }: CacheParts,
  findTokens: FindTokens,
  { place, contract, id, number }: WantedToken,
): Promise<TokenMetadata> {
  // Another caller may have just finished reading it.
  const known = await findTokens(place, [id]);
  const token = known.get(id);
  if (token !== undefined) return token;
  const reading = await readToken(source, place, contract, id);
  await saveTokens(database, place, number, [reading]);
  return reading.value;
}
