import {
  composeServers,
  createServer,
  type RpcServer,
} from "@ridlkit/runtime/server";

import { createApiServer } from "../../generated/api/server.js";
import { createIndexerServer } from "../../generated/indexer/server.js";
import { createMarketplaceServer } from "../../generated/marketplace/server.js";
import { createMetadataServer } from "../../generated/metadata/server.js";
import { createRelayerServer } from "../../generated/relayer/server.js";
import { limitKeyless } from "../keys/limit-keyless.js";
import { createRateLimiter } from "../keys/rate-limiter.js";
import type { KeyVerifiers } from "../keys/verify.js";
import type { Network } from "../network/networks.js";
import type { Platform } from "../platform.js";
import { createRelayingHandler } from "../relaying/handler.js";
import { createRelayingServer } from "../relaying/server.js";
import { createApiHandler } from "../services/api/handler.js";
import { createBuilderHandler } from "../services/builder/handler.js";
import { createIndexerHandler } from "../services/indexer/handler.js";
import { createMarketplaceHandler } from "../services/marketplace/handler.js";
import { createMetadataHandlers } from "../services/metadata/handler.js";
import { createRelayerHandler } from "../services/relayer/handler.js";
import { clientAddressHeader } from "./client-address.js";
import { serveExplorer } from "./explorer.js";
import type { Observation } from "./observation.js";
import { servePerNetwork } from "./per-network.js";
import { withWaitingRoom } from "./waiting-room.js";

/** All hosts of the contract as one server, and what relays. */
export function createServers(
  platform: Platform,
  verifiers: KeyVerifiers,
  observation: Observation,
): RpcServer {
  const { allowedOrigins, concurrency, defaultNetwork } = platform.settings;
  const { countWaiting, observe, onError } = observation;
  const addressLimiter = createRateLimiter(
    platform.settings.addressRateLimit,
    "from this address",
  );
  const limitAddresses = limitKeyless(addressLimiter, clientAddressHeader);
  const options = {
    ...verifiers,
    ...{ observe, onError },
    interceptors: [limitAddresses],
    maxConcurrent: concurrency.running,
    timeoutMs: 30_000,
    ...(allowedOrigins.length > 0 && { cors: { origins: allowedOrigins } }),
  };
  const withRoom = (server: RpcServer): RpcServer =>
    withWaitingRoom(server, concurrency, countWaiting);
  const perNetwork = (create: (network: Network) => RpcServer): RpcServer =>
    servePerNetwork(platform.networks, defaultNetwork, (network) =>
      withRoom(create(network)),
    );
  const api = createApiServer({
    ...options,
    handlers: {
      api: createApiHandler(platform),
      builder: createBuilderHandler(platform),
    },
  });
  const metadata = createMetadataServer({
    ...options,
    handlers: createMetadataHandlers(platform),
  });
  const marketplace = createMarketplaceServer({
    ...options,
    acceptParameters: ({ network }) => platform.networks.find(network) !== null,
    handlers: { marketplace: createMarketplaceHandler(platform) },
  });
  return composeServers(
    serveExplorer(),
    withRoom(api),
    withRoom(metadata),
    perNetwork((network) =>
      createRelayerServer({
        ...options,
        handlers: { relayer: createRelayerHandler(platform, network) },
      }),
    ),
    perNetwork((network) =>
      createRelayingServer({
        ...options,
        handlers: { relaying: createRelayingHandler(platform, network) },
      }),
    ),
    perNetwork((network) =>
      createIndexerServer({
        ...options,
        handlers: { indexer: createIndexerHandler(platform, network) },
      }),
    ),
    withRoom(marketplace),
    answerTheRest(observation),
  );
}

/** Answers what nobody else does, so that it is seen, too. */
function answerTheRest({ observe }: Observation): RpcServer {
  return { ...createServer({ observe }, []), matches: () => true };
}
