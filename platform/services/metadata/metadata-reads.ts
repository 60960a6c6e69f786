import { NotFoundError } from "../../../generated/errors.js";
import type {
  ContractInfo,
  GetTokenMetadataBatchRequest,
  GetTokenMetadataBatchResponse,
  TokenMetadata,
} from "../../../generated/metadata/types.js";
import type { Network } from "../../network/networks.js";
import type { Platform } from "../../parts/platform.js";
import { createContractCache } from "./contract-cache.js";
import { createLimit } from "../../process/limit-work.js";
import { readBatch } from "./read-batch.js";
import { toTokenIds } from "./request-fields.js";
import { createTokenCache } from "./token-cache.js";

/**
 * The read operations of the Metadata and Tokens services. Addresses are not
 * case-sensitive.
 *
 * Errors: `InvalidArgument` for token IDs that are too large; `Unavailable` if
 * the chain is needed but does not respond, or if too many reads are queued.
 */
export interface MetadataReads {
  /** Returns one entry per ID, in order, even for tokens that do not exist. */
  tokens(
    network: Network,
    contract: string,
    tokenIds: readonly string[],
  ): Promise<TokenMetadata[]>;
  /**
   * Returns the tokens of several contracts, keyed by the addresses as given.
   *
   * Additional errors: `InvalidArgument` for invalid addresses, `QueryFailed`
   * if the response is too large.
   */
  batch(
    network: Network,
    tokenIds: GetTokenMetadataBatchRequest["contractTokenMap"],
  ): Promise<GetTokenMetadataBatchResponse["contractTokenMetadata"]>;
  /** Returns a contract. Additional errors: `NotFound` if there is none. */
  contract(network: Network, contract: string): Promise<ContractInfo>;
  /**
   * Returns contracts by lowercase address. Addresses without a contract are
   * left out.
   */
  contracts(
    network: Network,
    contracts: readonly string[],
  ): Promise<Record<string, ContractInfo>>;
}

/** The maximum numbers of concurrent and queued reads. */
const maxReads = 32;
const maxWaitingReads = 10_000;

/** Creates the read operations for the methods. */
export function createMetadataReads(platform: Platform): MetadataReads {
  const { database, outbound, settings } = platform;
  const parts = {
    database,
    source: { outbound, ipfsGateway: settings.ipfsGateway },
    limit: createLimit(maxReads, maxWaitingReads),
  };
  const findContracts = createContractCache(parts);
  const findTokens = createTokenCache(parts, findContracts);
  return {
    tokens: (network, contract, tokenIds) => {
      const ids = toTokenIds("tokenIDs", tokenIds);
      return findTokens({ network, contract: contract.toLowerCase() }, ids);
    },

    batch: (network, contractTokenMap) =>
      readBatch(network, contractTokenMap, findTokens),

    contract: async (network, address) => {
      const contract = address.toLowerCase();
      const found = await findContracts(network, [contract]);
      const info = found.get(contract)?.info;
      if (info !== undefined) return info;
      throw new NotFoundError({ cause: `there is no contract at ${address}` });
    },

    contracts: async (network, addresses) => {
      const contracts = addresses.map((address) => address.toLowerCase());
      const found = await findContracts(network, [...new Set(contracts)]);
      const entries = [...found].map(
        ([contract, { info }]) => [contract, info] as const,
      );
      return Object.fromEntries(entries);
    },
  };
}
