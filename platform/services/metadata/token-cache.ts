import type { TokenMetadata } from "../../../generated/metadata/types.js";
import { createShare } from "../../process/concurrency/share-work.js";
import type { CacheParts, ContractCache } from "./contract-cache.js";
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
    const read = [...missing].map(async (id) => {
      const token = await share(keyOf(place, id), () =>
        readAndSave(parts, findTokens, findContracts, { place, id, caller }),
      );
      found.set(id, token);
    });
    await Promise.all(read);
    return tokenIds.flatMap((id) => found.get(id) ?? []);
  };
}

/** A token to read, and the caller that it is read for. */
interface WantedToken {
  readonly place: ContractPlace;
  readonly id: string;
  readonly caller: string;
}

async function readAndSave(
  { database, source, limit }: CacheParts,
  findTokens: FindTokens,
  findContracts: ContractCache,
  { place, id, caller }: WantedToken,
): Promise<TokenMetadata> {
  // Another caller may have just finished reading it.
  const known = await findTokens(place, [id]);
  const token = known.get(id);
  if (token !== undefined) return token;
  const number = await drawReadNumber(database);
  const { contract: address, network } = place;
  const contracts = await findContracts(network, [address], caller);
  const contract = contracts.get(address) ?? null;
  const reading = await limit(
    () => readToken(source, place, contract, id),
    caller,
  );
  // Without this check, callers could fill the database with tokens of
  // nonexistent contracts.
  if (contract !== null) await saveTokens(database, place, number, [reading]);
  return reading.value;
}
