import { NotFoundError } from "../../../generated/errors.js";
import type { GetTokenMetadataBatchRequest } from "../../../generated/metadata/types.js";
import type { Network } from "../../network/networks.js";
import type { Platform } from "../../parts/platform.js";
import { createContractCache } from "./contract-cache.js";
import { createLimit } from "../../process/limit-work.js";
import { readBatch } from "./read-batch.js";
import { toTokenIds } from "./request-fields.js";
import { createTokenCache } from "./token-cache.js";

/** The maximum numbers of concurrent and queued reads. */
const maxReads = 32;
const maxWaitingReads = 10_000;

/**
 * Creates the read operations of the Metadata and Tokens services. Addresses
 * are not case-sensitive.
 *
 * Errors of the operations: `InvalidArgument` for token IDs that are too large;
 * `Unavailable` if the chain is needed but does not respond, or if too many
 * reads are queued.
 */
export function createMetadataReads(platform: Platform) {
  const { database, outbound, settings } = platform;
  const parts = {
    database,
    source: { outbound, ipfsGateway: settings.ipfsGateway },
    limit: createLimit(maxReads, maxWaitingReads),
  };
  const findContracts = createContractCache(parts);
  const findTokens = createTokenCache(parts, findContracts);
  return {
    /** Returns one entry per ID, in order, even for tokens that do not exist. */
    tokens: (
      network: Network,
      contract: string,
      tokenIds: readonly string[],
    ) => {
      const ids = toTokenIds("tokenIDs", tokenIds);
      return findTokens({ network, contract: contract.toLowerCase() }, ids);
    },

    /** Returns the tokens of several contracts. Errors: see `readBatch`. */
    batch: (
      network: Network,
      contractTokenMap: GetTokenMetadataBatchRequest["contractTokenMap"],
    ) => readBatch(network, contractTokenMap, findTokens),

    /** Returns a contract. Additional errors: `NotFound` if there is none. */
    contract: async (network: Network, address: string) => {
      const contract = address.toLowerCase();
      const found = await findContracts(network, [contract]);
      const info = found.get(contract)?.info;
      if (info !== undefined) return info;
      throw new NotFoundError({ cause: `there is no contract at ${address}` });
    },

    /**
     * Returns contracts by lowercase address. Addresses without a contract are
     * left out.
     */
    contracts: async (network: Network, addresses: readonly string[]) => {
      const contracts = addresses.map((address) => address.toLowerCase());
      const found = await findContracts(network, [...new Set(contracts)]);
      const entries = [...found].map(
        ([contract, { info }]) => [contract, info] as const,
      );
      return Object.fromEntries(entries);
    },
  };
}

/** The read operations of the Metadata and Tokens services. */
export type MetadataReads = ReturnType<typeof createMetadataReads>;
