import type { Kysely } from "kysely";
import { expect } from "vitest";

import {
  createMetadataHostClient,
  type MetadataHostClient,
} from "../../../generated/metadata/client.js";
import type { TokenMetadata } from "../../../generated/metadata/types.js";
import type { Tables } from "../../database/schema.js";
import type { Settings } from "../../settings/read-settings.js";
import {
  createTestProject,
  servePlatform,
  type ServedPlatform,
} from "./serve-platform.js";
import { openTestChain, type TestChain } from "./start-chain.js";
import { openTestDatabase } from "./test-database.js";

/** The metadata host, as its clients see it. */
export interface OpenMetadata extends MetadataHostClient {
  readonly platform: ServedPlatform;
}

/** The metadata host with its database and its chain. */
export interface MetadataOnChain {
  readonly database: Kysely<Tables>;
  readonly chain: TestChain;
  readonly host: OpenMetadata;
  /** Requests tokens of a contract. */
  ask(contract: string, tokenIds: string[]): Promise<readonly TokenMetadata[]>;
}

/** Opens the metadata host on a separate chain, for the tests in one file. */
export async function openMetadataOnChain(): Promise<MetadataOnChain> {
  const database = await openTestDatabase();
  const chain = await openTestChain();
  const host = await openMetadata(database, { networks: [chain.network] });
  const ask: MetadataOnChain["ask"] = (contract, tokenIds) =>
    askTokens(host, contract, tokenIds);
  return { database, chain, host, ask };
}

/**
 * Creates the metadata host's generated clients with the keys of a new project.
 */
export async function openMetadata(
  database: Kysely<Tables>,
  changes: Partial<Settings>,
): Promise<OpenMetadata> {
  const platform = servePlatform(database, {
    allowPrivateTargets: true,
    ...changes,
  });
  const { accessKey } = await createTestProject(platform.store);
  const clients = createMetadataHostClient({
    baseUrl: "http://platform.test",
    credentials: { accessKey },
    fetch: platform.fetch,
  });
  return { ...clients, platform };
}

/** An address without a contract. */
export const nobody = `0x${"12".repeat(20)}`;

/** The answer for an unknown token. */
export const nothing = {
  name: "",
  description: "",
  image: "",
  decimals: 0,
  properties: null,
  attributes: null,
};

/** Requests tokens by RPC and by REST, which must return the same result. */
async function askTokens(
  { metadata, tokens }: OpenMetadata,
  contractAddress: string,
  tokenIDs: string[],
): Promise<readonly TokenMetadata[]> {
  const { tokenMetadata } = await metadata.getTokenMetadata({
    chainID: "hardhat",
    contractAddress,
    tokenIDs,
  });
  const network = "31337";
  const place = { network, contractAddress, tokenIDs };
  expect(await tokens.readTokenMetadata(place)).toEqual({ tokenMetadata });
  return tokenMetadata;
}
