import {
  InvalidArgumentError,
  NotFoundError,
  type ContractInfo,
  type TokenMetadata,
} from "../../generated/index.js";
import type {
  MetadataHandler,
  TokensHandler,
} from "../../generated/metadata/server.js";
import { isAddress } from "../../generated/validators.js";
import { requireChainId } from "./networks.js";

/**
 * Handlers for the Metadata and Tokens services, which return the same data.
 */
export interface MetadataHandlers {
  readonly metadata: MetadataHandler;
  readonly tokens: TokensHandler;
}

/**
 * Creates handlers that make up metadata from the request. A refresh is
 * complete once its status has been read. From then on, the tokens of its
 * contract have a new revision.
 */
export function createMetadataHandlers(): MetadataHandlers {
  const revisions = new Map<string, number>();
  const tokensOf: DescribeTokens = (contract, tokenIds) => {
    const address = contract.toLowerCase();
    const revision = revisions.get(address) ?? 1;
    return tokenIds.map((id) => describeToken(address, id, revision));
  };
  return {
    metadata: {
      ...createReads(tokensOf),
      ...createRefresh((contract) => {
        revisions.set(contract, (revisions.get(contract) ?? 1) + 1);
      }),
    },
    tokens: {
      readContractInfo: ({ network, contractAddress }) => ({
        contractInfo: describeContract(
          requireChainId("network", network),
          contractAddress,
        ),
      }),

      readTokenMetadata: ({ network, contractAddress, tokenIDs }) => {
        requireChainId("network", network);
        return { tokenMetadata: tokensOf(contractAddress, tokenIDs) };
      },
    },
  };
}

/** Returns the metadata of some tokens of a contract. */
type DescribeTokens = (
  contract: string,
  tokenIds: readonly string[],
) => TokenMetadata[];

type Refresh = Pick<
  MetadataHandler,
  "enqueueTokensForRefresh" | "getTokenRefreshStatus"
>;

function createReads(
  tokensOf: DescribeTokens,
): Omit<MetadataHandler, keyof Refresh> {
  return {
    getTokenMetadata: ({ chainID, contractAddress, tokenIDs }) => {
      requireChainId("chainID", chainID);
      return { tokenMetadata: tokensOf(contractAddress, tokenIDs) };
    },

    getTokenMetadataBatch: ({ chainID, contractTokenMap }) => {
      requireChainId("chainID", chainID);
      const entries = Object.entries(contractTokenMap).map(
        ([contract, tokenIds]) => {
          // The schema does not limit the keys of this map.
          if (isAddress(contract))
            return [contract, tokensOf(contract, tokenIds)];
          const cause = `contractTokenMap: expected addresses, got "${contract}"`;
          throw new InvalidArgumentError({ cause });
        },
      );
      return { contractTokenMetadata: Object.fromEntries(entries) };
    },

    getContractInfo: ({ chainID, contractAddress }) => ({
      contractInfo: describeContract(
        requireChainId("chainID", chainID),
        contractAddress,
      ),
    }),

    getContractInfoBatch: ({ chainID, contractAddresses }) => {
      const chainId = requireChainId("chainID", chainID);
      const entries = contractAddresses.map((address) => [
        address.toLowerCase(),
        describeContract(chainId, address),
      ]);
      return { contractInfoMap: Object.fromEntries(entries) };
    },
  };
}

/** Creates handlers that call `renew` once per task, with its contract. */
function createRefresh(renew: (contract: string) => void): Refresh {
  const tasks: { readonly contract: string; isDone: boolean }[] = [];
  return {
    enqueueTokensForRefresh: ({ chainID, contractAddress }) => {
      requireChainId("chainID", chainID);
      const contract = contractAddress.toLowerCase();
      return { taskId: tasks.push({ contract, isDone: false }) };
    },

    getTokenRefreshStatus: ({ taskId }) => {
      const task = tasks[taskId - 1];
      if (!task) {
        throw new NotFoundError({ cause: `taskId: no task ${taskId}` });
      }
      if (task.isDone) return { status: "COMPLETED" };
      task.isDone = true;
      renew(task.contract);
      return { status: "QUEUED" };
    },
  };
}

function describeToken(
  contractAddress: string,
  tokenId: string,
  revision: number,
): TokenMetadata {
  return {
    tokenId,
    contractAddress,
    name: `Token ${tokenId}`,
    description: "",
    image: `https://example.com/${contractAddress}/${tokenId}.png`,
    decimals: 0,
    properties: null,
    attributes: [{ trait_type: "revision", value: revision }],
  };
}

function describeContract(chainId: number, contract: string): ContractInfo {
  const address = contract.toLowerCase();
  return {
    chainId,
    address,
    name: `Collection ${address.slice(2, 8)}`,
    type: "ERC721",
    symbol: address.slice(2, 6).toUpperCase(),
    logoURI: `https://example.com/${address}/logo.png`,
    extensions: {
      link: `https://example.com/${address}`,
      description: "",
      ogImage: "",
      originAddress: "",
    },
  };
}
