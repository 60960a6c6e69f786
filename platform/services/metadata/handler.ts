import { NotFoundError } from "../../../generated/errors.js";
import type {
  MetadataHandler,
  TokensHandler,
} from "../../../generated/metadata/server.js";
import type { GetTokenMetadataRequest } from "../../../generated/metadata/types.js";
import {
  type PlatformContext,
  type PlatformState,
  projectOf,
} from "../../keys/state.js";
import type { Network } from "../../network/networks.js";
import type { Platform } from "../../parts/platform.js";
import { requireNetwork, toTokenIds } from "../request-fields.js";
import { createAnswerSize, tokensThatFit } from "./answer-size.js";
import { createContractCache, readingPartsOf } from "./contract-cache.js";
import { createReadLimit } from "./limit-reads.js";
import { readBatch } from "./read-batch.js";
import { createRefresh, findRefreshStatus } from "./refresh-store.js";
import { createTokenCache } from "./token-cache.js";

/** The request fields that name tokens. */
type TokensRequest = Pick<
  GetTokenMetadataRequest,
  "contractAddress" | "tokenIDs"
>;

/**
 * Creates the handlers for the metadata host. Its services Metadata and Tokens
 * return the same data. Addresses are not case-sensitive.
 *
 * Input: `callerOf` identifies the caller of a request.
 */
export function createMetadataHandlers(
  platform: Platform,
  callerOf: (context: PlatformContext) => string,
) {
  const { networks } = platform;
  const readers = createReaders(platform, callerOf);
  const { findContracts, readContract, readTokens } = readers;
  const byId = (chainID: string): Network =>
    requireNetwork(networks, "chainID", chainID);

  const metadata: MetadataHandler<PlatformState> = {
    ...createRefreshHandler(platform),

    getTokenMetadata: (request, context) =>
      readTokens(byId(request.chainID), request, context),

    getTokenMetadataBatch: async ({ chainID, contractTokenMap }, context) => ({
      contractTokenMetadata: await readBatch(
        byId(chainID),
        contractTokenMap,
        readers,
        callerOf(context),
      ),
    }),

    getContractInfo: ({ chainID, contractAddress }, context) =>
      readContract(byId(chainID), contractAddress, context),

    // Addresses without a contract are left out.
    getContractInfoBatch: async ({ chainID, contractAddresses }, context) => {
      const contracts = contractAddresses.map((each) => each.toLowerCase());
      const unique = [...new Set(contracts)];
      const network = byId(chainID);
      const found = await findContracts(network, unique, callerOf(context));
      const entries = [...found].map(
        ([contract, { info }]) => [contract, info] as const,
      );
      return { contractInfoMap: Object.fromEntries(entries) };
    },
  };
  const byName = (network: string): Network =>
    requireNetwork(networks, "network", network);
  const tokens: TokensHandler<PlatformState> = {
    readContractInfo: ({ network, contractAddress }, context) =>
      readContract(byName(network), contractAddress, context),

    readTokenMetadata: (request, context) =>
      readTokens(byName(request.network), request, context),
  };
  return { metadata, tokens };
}

/** Creates functions that read tokens and contracts for callers. */
function createReaders(
  platform: Platform,
  callerOf: (context: PlatformContext) => string,
) {
  const parts = { ...readingPartsOf(platform), limit: createReadLimit() };
  const findContracts = createContractCache(parts);
  const findTokens = createTokenCache(parts, findContracts);

  /** Returns one entry per ID, in order, even for tokens that do not exist. */
  const readTokens = async (
    network: Network,
    { contractAddress, tokenIDs }: TokensRequest,
    context: PlatformContext,
  ) => {
    const place = { network, contract: contractAddress.toLowerCase() };
    const ids = toTokenIds("tokenIDs", tokenIDs);
    const tokenMetadata = await findTokens(place, ids, callerOf(context));
    if (ids.length > tokensThatFit) await createAnswerSize().add(tokenMetadata);
    return { tokenMetadata };
  };
  const readContract = async (
    network: Network,
    address: string,
    context: PlatformContext,
  ) => {
    const contract = address.toLowerCase();
    const found = await findContracts(network, [contract], callerOf(context));
    const contractInfo = found.get(contract)?.info;
    if (contractInfo !== undefined) return { contractInfo };
    throw new NotFoundError({ cause: `there is no contract at ${address}` });
  };
  const { database } = platform;
  return { database, findContracts, findTokens, readContract, readTokens };
}

/**
 * Creates the methods that refresh tokens. A task is visible only to its own
 * project.
 */
function createRefreshHandler({ database, networks, settings }: Platform) {
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
  } satisfies Partial<MetadataHandler<PlatformState>>;
}
