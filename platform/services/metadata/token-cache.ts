import type { TokenMetadata } from "../../../generated/metadata/types.js";
import { createShare } from "../../process/share-work.js";
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
 * use and stored in the database until it is refreshed.
 *
 * Errors: `Unavailable` if the chain is needed but does not respond, or if too
 * many reads are queued.
 */
export type TokenCache = (
  place: ContractPlace,
  tokenIds: readonly string[],
) => Promise<TokenMetadata[]>;

/** Creates the cache of tokens. */
export function createTokenCache(
  parts: CacheParts,
  findContracts: ContractCache,
): TokenCache {
  const share = createShare<TokenMetadata>();
  const findTokens = createFindTokens(parts.database);
  return async (place, tokenIds) => {
    const found = await findTokens(place, tokenIds);
    const missing = new Set(tokenIds.filter((id) => !found.has(id)));
    const read = [...missing].map(async (id) => {
      const token = await share(keyOf(place, id), () =>
        readAndSave(parts, findTokens, findContracts, place, id),
      );
      found.set(id, token);
    });
    await Promise.all(read);
    return tokenIds.flatMap((id) => found.get(id) ?? []);
  };
}

async function readAndSave(
  { database, source, limit }: CacheParts,
  findTokens: FindTokens,
  findContracts: ContractCache,
  place: ContractPlace,
  tokenId: string,
): Promise<TokenMetadata> {
  // Another caller may have just finished reading it.
  const known = await findTokens(place, [tokenId]);
  const token = known.get(tokenId);
  if (token !== undefined) return token;
  const number = await drawReadNumber(database);
  const contracts = await findContracts(place.network, [place.contract]);
  const contract = contracts.get(place.contract) ?? null;
  const reading = await limit(() =>
    readToken(source, place, contract, tokenId),
  );
  // Without this check, callers could fill the database with tokens of
  // nonexistent contracts.
  if (contract !== null) await saveTokens(database, place, number, [reading]);
  return reading.value;
}
