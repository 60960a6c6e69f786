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
 * What the methods of both services ask for. Addresses come in any case.
 *
 * Errors: `InvalidArgument` for ids of tokens that are too large; `Unavailable`
 * when the chain has to be asked and does not answer.
 */
export interface MetadataReads {
  /** One entry for each id, in their order, also of tokens that are not there. */
  tokens(
    network: Network,
    contract: string,
    tokenIds: readonly string[],
  ): Promise<TokenMetadata[]>;
  /**
   * The same of several contracts, by their addresses as they came.
   *
   * Errors also: `QueryFailed` when that is too much.
   */
  batch(
    network: Network,
    tokenIds: GetTokenMetadataBatchRequest["contractTokenMap"],
  ): Promise<GetTokenMetadataBatchResponse["contractTokenMetadata"]>;
  /** Errors also: `NotFound` when there is no contract. */
  contract(network: Network, contract: string): Promise<ContractInfo>;
  /** By address in lower case; addresses without a contract are missing. */
  contracts(
    network: Network,
    contracts: readonly string[],
  ): Promise<Record<string, ContractInfo>>;
}

/** How much is read at once, and how much waits for its turn. */
const maxReads = 32;
const maxWaitingReads = 10_000;

/** Opens what the methods read from. */
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
