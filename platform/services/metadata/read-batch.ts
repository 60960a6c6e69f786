import type {
  GetTokenMetadataBatchRequest,
  GetTokenMetadataBatchResponse,
} from "../../../generated/metadata/types.js";
import type { Network } from "../../network/networks.js";
import { createLimit } from "../../process/concurrency/limit-work.js";
import { toContract, toTokenIds } from "../request-fields.js";
import { createAnswerSize } from "./answer-size.js";
import type { TokenCache } from "./token-cache.js";

/**
 * The number of contracts that are read at the same time, because callers may
 * request many large documents.
 */
const contractsAtOnce = 4;

/**
 * Reads the tokens of several contracts, keyed by the addresses as given.
 *
 * Errors: `InvalidArgument` for invalid addresses and for IDs that are too
 * large, `QueryFailed` if the response is too large, `Unavailable`.
 */
export async function readBatch(
  network: Network,
  contractTokenMap: GetTokenMetadataBatchRequest["contractTokenMap"],
  findTokens: TokenCache,
  caller: string,
): Promise<GetTokenMetadataBatchResponse["contractTokenMetadata"]> {
  const wanted = Object.entries(contractTokenMap).map(([name, tokenIds]) => {
    const contract = toContract("contractTokenMap", name);
    const ids = toTokenIds(`contractTokenMap.${name}`, tokenIds);
    return { name, place: { network, contract }, ids };
  });
  const limit = createLimit(contractsAtOnce, wanted.length);
  const size = createAnswerSize();
  const found = wanted.map(({ name, place, ids }) =>
    limit(async () => {
      // Check again, because the result of a queued read may no longer be
      // needed.
      await size.add([]);
      const tokens = await findTokens(place, ids, caller);
      await size.add(tokens);
      return [name, tokens] as const;
    }),
  );
  return Object.fromEntries(await Promise.all(found));
}
