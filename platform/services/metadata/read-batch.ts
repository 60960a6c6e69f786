import type {
  GetTokenMetadataBatchRequest,
  GetTokenMetadataBatchResponse,
} from "../../../generated/metadata/types.js";
import type { Database } from "../../database/schema.js";
import type { Network } from "../../network/networks.js";
import { createLimit } from "../../process/concurrency/limit-work.js";
import { toContract, toTokenIds } from "../request-fields.js";
import { createAnswerSize } from "./answer-size.js";
import type { ContractCache } from "./contract-cache.js";
import type { TokenCache } from "./token-cache.js";
import { findContractsWithTokens } from "./token-store.js";

/**
 * The number of contracts that are read at the same time, because callers may
 * request many large documents.
 */
const contractsAtOnce = 4;

/** Where contracts and tokens are stored. */
interface Caches {
  readonly database: Database;
  readonly findContracts: ContractCache;
  readonly findTokens: TokenCache;
}

/**
 * Reads the tokens of several contracts, keyed by the addresses as given.
 *
 * Errors: `InvalidArgument` for invalid addresses and for IDs that are too
 * large, `QueryFailed` if the response is too large, `Unavailable`.
 */
export async function readBatch(
  network: Network,
  contractTokenMap: GetTokenMetadataBatchRequest["contractTokenMap"],
  { database, findContracts, findTokens }: Caches,
  caller: string,
): Promise<GetTokenMetadataBatchResponse["contractTokenMetadata"]> {
  const wanted = Object.entries(contractTokenMap).map(([name, tokenIds]) => {
    const contract = toContract("contractTokenMap", name);
    const ids = toTokenIds(`contractTokenMap.${name}`, tokenIds);
    return { name, place: { network, contract }, ids };
  });
  const named = wanted.filter(({ ids }) => ids.length > 0);
  const contracts = [...new Set(named.map(({ place }) => place.contract))];
  // An address without stored tokens may have no contract. Check all of them at
  // once.
  const stored = await findContractsWithTokens(database, network, contracts);
  const others = contracts.filter((contract) => !stored.has(contract));
  const found = await findContracts(network, others, caller);
  const known = new Map(others.map((each) => [each, found.get(each) ?? null]));
  const limit = createLimit(contractsAtOnce, wanted.length);
  const size = createAnswerSize();
  const tokens = wanted.map(({ name, place, ids }) =>
    limit(async () => {
      // Check again, because the result of a queued read may no longer be
      // needed.
      await size.add([]);
      const contract = known.get(place.contract);
      const ofContract = await findTokens(place, ids, caller, contract);
      await size.add(ofContract);
      return [name, ofContract] as const;
    }),
  );
  return Object.fromEntries(await Promise.all(tokens));
}
