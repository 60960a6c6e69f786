import { NotFoundError } from "../../../generated/errors.js";
import type {
  MetadataHandler,
  TokensHandler,
} from "../../../generated/metadata/server.js";
import { type PlatformState, projectOf } from "../../keys/state.js";
import { requireNetwork } from "../../network/require-network.js";
import type { Platform } from "../../parts/platform.js";
import { createMetadataReads, type MetadataReads } from "./metadata-reads.js";
import { createRefresh, findRefreshStatus } from "./refresh-store.js";
import { toTokenIds } from "./request-fields.js";

/**
 * Creates the handlers for the metadata host. Its services Metadata and Tokens
 * return the same data.
 */
export function createMetadataHandlers(platform: Platform) {
  const reads = createMetadataReads(platform);
  return {
    metadata: {
      ...createMetadataHandler(reads, platform),
      ...createRefreshHandler(platform),
    },
    tokens: createTokensHandler(reads, platform),
  };
}

type RefreshHandler = Pick<
  MetadataHandler<PlatformState>,
  "enqueueTokensForRefresh" | "getTokenRefreshStatus"
>;

function createMetadataHandler(
  reads: MetadataReads,
  { networks }: Platform,
): Omit<MetadataHandler<PlatformState>, keyof RefreshHandler> {
  return {
    getTokenMetadata: async ({ chainID, contractAddress, tokenIDs }) => {
      const network = requireNetwork(networks, "chainID", chainID);
      return {
        tokenMetadata: await reads.tokens(network, contractAddress, tokenIDs),
      };
    },

    getTokenMetadataBatch: async ({ chainID, contractTokenMap }) => {
      const network = requireNetwork(networks, "chainID", chainID);
      return {
        contractTokenMetadata: await reads.batch(network, contractTokenMap),
      };
    },

    getContractInfo: async ({ chainID, contractAddress }) => {
      const network = requireNetwork(networks, "chainID", chainID);
      return { contractInfo: await reads.contract(network, contractAddress) };
    },

    getContractInfoBatch: async ({ chainID, contractAddresses }) => {
      const network = requireNetwork(networks, "chainID", chainID);
      return {
        contractInfoMap: await reads.contracts(network, contractAddresses),
      };
    },
  };
}

function createTokensHandler(
  reads: MetadataReads,
  { networks }: Platform,
): TokensHandler<PlatformState> {
  return {
    readContractInfo: async ({ network: name, contractAddress }) => {
      const network = requireNetwork(networks, "network", name);
      return { contractInfo: await reads.contract(network, contractAddress) };
    },

    readTokenMetadata: async ({ network: name, contractAddress, tokenIDs }) => {
      const network = requireNetwork(networks, "network", name);
      return {
        tokenMetadata: await reads.tokens(network, contractAddress, tokenIDs),
      };
    },
  };
}

/**
 * Creates the methods that refresh tokens. A task is visible only to its own
 * project.
 */
function createRefreshHandler({
  database,
  networks,
  settings,
}: Platform): RefreshHandler {
  const limits = {
    maxTasks: settings.refreshesPerProject,
    maxTokens: settings.refreshTokensPerProject,
  };
  return {
    enqueueTokensForRefresh: async (request, context) => {
      const { chainID, contractAddress, tokenIDs, refreshAll } = request;
      const refresh = {
        projectId: projectOf(context),
        chainId: requireNetwork(networks, "chainID", chainID).chainId,
        contract: contractAddress.toLowerCase(),
        tokenIds: toTokenIds("tokenIDs", tokenIDs),
        isForAll: refreshAll === true,
      };
      return { taskId: await createRefresh(database, refresh, limits) };
    },

    getTokenRefreshStatus: async ({ taskId }, context) => {
      const project = projectOf(context);
      const status = await findRefreshStatus(database, project, taskId);
      if (status !== null) return { status };
      throw new NotFoundError({ cause: `taskId: there is no task ${taskId}` });
    },
  };
}
