import type { ExplorerValues } from "@ridlkit/runtime/explorer";
import {
  type CallerContext,
  composeServers,
  type Interceptor,
  type RpcServer,
  type ServerOptions,
} from "@ridlkit/runtime/server";
import { createServer } from "@ridlkit/runtime/codegen/create-server";

import { createApiServer } from "../../generated/api/server.js";
import { createIndexerServer } from "../../generated/indexer/server.js";
import { createMarketplaceServer } from "../../generated/marketplace/server.js";
import { createMetadataServer } from "../../generated/metadata/server.js";
import { createRelayerServer } from "../../generated/relayer/server.js";
import type { UseCounters } from "../activity/use-counters.js";
import type { KeyStore } from "../keys/key-store.js";
import { createKeyLimiter, type KeyLimiter } from "../keys/key-limiter.js";
import { createRateLimiter } from "../keys/rate-limiter.js";
import { takeTokens } from "../keys/take-tokens.js";
import { createVerifiers } from "../keys/verify.js";
import type { Network, Networks } from "../network/networks.js";
import { answerOnce, createAnswers } from "../parts/answers.js";
import type { Platform } from "../parts/platform.js";
import { createRelayingServer } from "../relaying/generated/server.js";
import { createRelayingHandler } from "../relaying/handler.js";
import { createApiHandler } from "../services/api/handler.js";
import { createBuilderHandler } from "../services/builder/handler.js";
import { createIndexerHandler } from "../services/indexer/handler.js";
import { createMarketplaceHandler } from "../services/marketplace/handler.js";
import { createMetadataHandlers } from "../services/metadata/handler.js";
import { createRelayerHandler } from "../services/relayer/handler.js";
import { asCaller, callerOfProject } from "../process/concurrency/caller.js";
import type { PlatformContext, PlatformState } from "../keys/state.js";
import type { Settings } from "../settings/read-settings.js";
import { clientAddressHeader } from "./client-address.js";
import { serveExplorer } from "./explorer.js";
import { noteNetwork } from "./note-network.js";
import type { Observation } from "./observation.js";
import { withRetryAfter } from "./with-retry-after.js";
import { servePerNetwork } from "./per-network.js";
import { createRefuseNul } from "./refuse-nul.js";
import { requestIdOf } from "./request-id.js";

/**
 * Creates one server for all hosts of the contract, for relaying, and for the
 * explorer.
 *
 * Input: `values` are the initial values of the explorer's forms.
 */
export function createServers(
  platform: Platform,
  store: KeyStore,
  observation: Observation,
  counters: UseCounters,
  values: ExplorerValues | null = null,
): RpcServer {
  const { concurrency, defaultNetwork, rateLimit } = platform.settings;
  const limiter = createKeyLimiter(store, rateLimit);
  const optionsOf = noteNetworks(platform.networks, {
    ...createKeyOptions(platform.settings, store, limiter, counters),
    ...createCors(platform.settings),
    ...createLimits(concurrency),
    ...observation,
    timeoutMs: 30_000,
  });
  const answers = createAnswers(platform.database);
  const idempotency = answerOnce(answers);
  const keysOn = (on: Network) => ({ idempotency, caller: signerOn(on) });
  const perNetwork = (create: (network: Network) => RpcServer): RpcServer =>
    servePerNetwork(platform.networks, defaultNetwork, create);
  const api = createApiServer({
    ...optionsOf(null),
    handlers: {
      api: createApiHandler(platform),
      builder: createBuilderHandler(platform),
    },
  });
  const metadata = createMetadataServer({
    ...optionsOf(null),
    handlers: createMetadataHandlers(platform, callerOf),
  });
  const handlers = { marketplace: createMarketplaceHandler(platform) };
  const parts = { ...platform, requestIdOf };
  const marketplace = servePerNetwork(platform.networks, null, (network) =>
    createMarketplaceServer({ ...optionsOf(network), handlers }),
  );
  const all = composeServers(
    serveExplorer(values),
    api,
    metadata,
    perNetwork((network) =>
      createRelayerServer({
        ...optionsOf(network),
        ...keysOn(network),
        handlers: { relayer: createRelayerHandler(platform, answers, network) },
      }),
    ),
    perNetwork((network) =>
      createRelayingServer({
        ...optionsOf(network),
        ...keysOn(network),
        handlers: {
          relaying: createRelayingHandler(parts, answers, network),
        },
      }),
    ),
    perNetwork((network) =>
      createIndexerServer({
        ...optionsOf(network),
        handlers: { indexer: createIndexerHandler(platform, network) },
      }),
    ),
    marketplace,
    answerOtherRequests(observation),
  );
  return withRetryAfter(all, limiter.retryAfterSeconds);
}

/**
 * Returns a function that creates a server's options from the options of all
 * servers. It adds an interceptor that records the network of each call, and one
 * that runs it inside its span.
 */
function noteNetworks<
  Options extends {
    readonly interceptors: readonly Interceptor<PlatformState>[];
    readonly withinSpan?: Interceptor<PlatformState>;
  },
>(networks: Networks, options: Options) {
  return (network: Network | null) => ({
    ...options,
    interceptors: [
      ...(options.withinSpan ? [options.withinSpan] : []),
      noteNetwork<PlatformState>(networks, network),
      ...options.interceptors,
    ],
  });
}

/**
 * Identifies a caller by the project that its verified keys belong to, or by
 * its address if it has none. Requests without an address count as one caller.
 */
function callerOf(context: PlatformContext): string {
  const { project } = context.state;
  return project === null
    ? (context.header(clientAddressHeader) ?? "")
    : callerOfProject(project);
}

/**
 * Lets the work of a call count toward the limits of its caller, and ends queued
 * work when the caller leaves or the call ends.
 */
const ofCaller: Interceptor<PlatformState> = (next) => (call) =>
  asCaller(
    callerOf(call.context),
    () => next(call),
    () => call.context.signal,
  );

/**
 * Identifies a caller on a network by the projects of all its keys. Only the
 * caller that made a call gets its answer again.
 */
function signerOn({ chainId }: Network) {
  return ({ state }: CallerContext<PlatformState>): string | null => {
    if (state.project === null) return null;
    const secret = state.secretProject ?? "none";
    return `project ${state.project}, secret ${secret}, chain ${chainId}`;
  };
}

/** Limits the concurrent requests of each service and caller. */
function createLimits(
  limits: Settings["concurrency"],
): Partial<ServerOptions<PlatformState>> {
  return {
    maxConcurrent: limits.running,
    maxConcurrentPerTenant: limits.runningPerCaller,
    maxBodiesPerTenant: limits.bodiesPerCaller,
    maxQueued: limits.waiting,
    queueMs: limits.waitMs,
    tenant: callerOf,
  };
}

/**
 * Creates the options that verify keys, limit the rate of calls, and reject
 * U+0000.
 */
function createKeyOptions(
  { addressRateLimit, refuseSecretsOfPages }: Settings,
  store: KeyStore,
  limiter: KeyLimiter,
  counters: UseCounters,
) {
  const { database } = store;
  const ofAddresses = (name: string, limited: string) =>
    createRateLimiter((...asked) => takeTokens(database, ...asked), {
      ...{ ...addressRateLimit, name, limited },
    });
  const keyless = ofAddresses("address", "from this address");
  const verifiers = createVerifiers(store, {
    limiter,
    strangers: ofAddresses("stranger", "with unknown access keys"),
    addressHeader: clientAddressHeader,
    refuseSecretsOfPages,
    counters,
  });
  // Requests without an address count as one client.
  const limitAddresses: Interceptor<PlatformState> = (next) => async (call) => {
    const { context } = call;
    const isKeyless = context.state.project === null;
    const address = context.header(clientAddressHeader) ?? "";
    if (isKeyless) await keyless.take(address);
    return next(call);
  };
  return {
    ...verifiers,
    interceptors: [ofCaller, limitAddresses, createRefuseNul<PlatformState>()],
  };
}

/**
 * Returns the CORS rules: what pages from other origins can send and read.
 * Clients send all their keys to each method, even to methods that need none.
 */
function createCors({
  allowedHeaders,
  allowedOrigins,
}: Settings): Pick<ServerOptions, "cors"> {
  if (allowedOrigins.length === 0) return {};
  return {
    cors: {
      origins: allowedOrigins.includes("*") ? "*" : allowedOrigins,
      headers: ["X-Access-Key", "Authorization", ...allowedHeaders],
      exposedHeaders: ["X-Request-Id"],
    },
  };
}

/**
 * Handles all remaining requests, so that these are also logged and counted.
 */
function answerOtherRequests({ observe }: Observation): RpcServer {
  return { ...createServer({ observe }, []), matches: () => true };
}
