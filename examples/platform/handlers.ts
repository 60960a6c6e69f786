import { readFileSync } from "node:fs";

import { createExplorerServer } from "@ridlkit/runtime/explorer";
import { idempotency, memoryAnswers } from "@ridlkit/runtime/idempotency";
import { composeServers, type RpcServer } from "@ridlkit/runtime/server";

import { createApiServer } from "../../generated/api/server.js";
import { createIndexerServer } from "../../generated/indexer/server.js";
import { createMarketplaceServer } from "../../generated/marketplace/server.js";
import { createMetadataServer } from "../../generated/metadata/server.js";
import { createRelayerServer } from "../../generated/relayer/server.js";
import { createApiHandler } from "./api.js";
import { createBuilderHandler } from "./builder.js";
import { verifyAccessKey, verifySecret } from "./credentials.js";
import { createIndexerHandler } from "./indexer.js";
import { createMarketplaceHandler } from "./marketplace.js";
import { createMetadataHandlers } from "./metadata.js";
import { findChainId } from "./networks.js";
import { createRelayerHandler } from "./relayer.js";
import { underNetwork } from "./under-network.js";

/** The chain of the example's relayer and indexer, which is Hardhat. */
const demoChainId = 31337;

/**
 * Creates one server for all five of the platform's hosts, with example
 * handlers. They make up responses from the requests and keep changes in
 * memory.
 */
export function createExamplePlatform(
  onError: (error: unknown) => void,
): RpcServer {
  const keys = { verifyAccessKey, onError };
  return composeServers(
    createExplorerServer((name) =>
      readFileSync(`generated/explorer/${name}`, "utf8"),
    ),
    createApiServer({
      ...keys,
      handlers: { api: createApiHandler(), builder: createBuilderHandler() },
    }),
    createMetadataServer({ ...keys, handlers: createMetadataHandlers() }),
    underNetwork(
      createRelayerServer({
        ...keys,
        verifySecret,
        // All clients of the example are the same caller.
        caller: () => "demo",
        idempotency: idempotency(memoryAnswers()),
        handlers: { relayer: createRelayerHandler(demoChainId) },
      }),
      demoChainId,
    ),
    createMarketplaceServer({
      ...keys,
      handlers: { marketplace: createMarketplaceHandler() },
      acceptParameters: ({ network }) => findChainId(network) !== null,
    }),
    underNetwork(
      createIndexerServer({
        ...keys,
        verifySecret,
        handlers: { indexer: createIndexerHandler() },
      }),
      demoChainId,
    ),
  );
}
