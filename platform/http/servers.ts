import {
  composeServers,
  createServer,
  type RpcServer,
} from "ridlkit/runtime/server";

import { createApiServer } from "../../generated/api/server.js";
import { createIndexerServer } from "../../generated/indexer/server.js";
import { createMarketplaceServer } from "../../generated/marketplace/server.js";
import { createMetadataServer } from "../../generated/metadata/server.js";
import { createRelayerServer } from "../../generated/relayer/server.js";
import type { KeyVerifiers } from "../keys/verify.js";
import type { Platform } from "../platform.js";
import { createRelayingHandler } from "../relaying/handler.js";
import { createRelayingServer } from "../relaying/server.js";
import { createApiHandler } from "../services/api/handler.js";
import { createBuilderHandler } from "../services/builder/handler.js";
import { createIndexerHandler } from "../services/indexer/handler.js";
import { createMarketplaceHandler } from "../services/marketplace/handler.js";
import { createMetadataHandlers } from "../services/metadata/handler.js";
import { createRelayerHandler } from "../services/relayer/handler.js";
import { serveExplorer } from "./explorer.js";
import type { Observation } from "./observation.js";
import { servePerNetwork } from "./per-network.js";

/** All hosts of the contract as one server, and what relays. */
export function createServers(
  platform: Platform,
  verifiers: KeyVerifiers,
  observation: Observation,
): RpcServer {
  const { allowedOrigins, defaultNetwork } = platform.settings;
  const options = {
    ...verifiers,
    ...observation,
    // More would wait longer than callers do: they had better come back.
    maxConcurrent: 200,
    timeoutMs: 30_000,
    ...(allowedOrigins.length > 0 && { cors: { origins: allowedOrigins } }),
  };
  return composeServers(
    serveExplorer(),
    createApiServer({
      ...options,
      handlers: {
        api: createApiHandler(platform),
        builder: createBuilderHandler(platform),
      },
    }),
    createMetadataServer({
      ...options,
      handlers: createMetadataHandlers(platform),
    }),
    servePerNetwork(platform.networks, defaultNetwork, (network) =>
      createRelayerServer({
        ...options,
        handlers: { relayer: createRelayerHandler(platform, network) },
      }),
    ),
    servePerNetwork(platform.networks, defaultNetwork, (network) =>
      createRelayingServer({
        ...options,
        handlers: { relaying: createRelayingHandler(platform, network) },
      }),
    ),
    servePerNetwork(platform.networks, defaultNetwork, (network) =>
      createIndexerServer({
        ...options,
        handlers: { indexer: createIndexerHandler(platform, network) },
      }),
    ),
    createMarketplaceServer({
      ...options,
      acceptParameters: ({ network }) =>
        platform.networks.find(network) !== null,
      handlers: { marketplace: createMarketplaceHandler(platform) },
    }),
    answerTheRest(observation),
  );
}

/** Answers what nobody else does, so that it is seen, too. */
function answerTheRest({ observe }: Observation): RpcServer {
  return { ...createServer({ observe }, []), matches: () => true };
}
