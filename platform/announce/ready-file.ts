import type { PlatformOptions } from "../../generated/client.js";
import type { Fixtures } from "../chain/fixtures.js";
import { seededTokenIds } from "../chain/seed-collectibles.js";
import type {
  RunningDemo,
  RunningPlatform,
} from "../parts/running-platform.js";
import { writeAtomically } from "./write-atomically.js";

/**
 * Writes a file with everything that scripts and tests need to call a running
 * platform: its addresses, the demo project's keys, and data to query.
 */
export function writeReadyFile(path: string, running: RunningPlatform): void {
  const { adminUrl, baseUrl, demo, metricsUrl, ownChain, platform } = running;
  const { defaultNetwork } = platform.settings;
  const ready = {
    baseUrl,
    metricsUrl,
    adminUrl,
    services: addressesOf(baseUrl),
    ...(demo && describeDemo(demo)),
    network: defaultNetwork,
    chainId: platform.networks.find(defaultNetwork)?.chainId ?? null,
    chainUrl: ownChain?.rpcUrl ?? null,
    fixtures: {
      audience: demo?.audience ?? null,
      ...(ownChain && describeFixtures(ownChain.fixtures)),
    },
  };
  writeAtomically(path, ready);
}

function describeDemo({ accessKey, id, secret, webhookSecret }: RunningDemo) {
  return { projectId: id, accessKey, secret, webhookSecret };
}

/**
 * Describes the fixtures on the chain, using short names for the most common
 * ones.
 */
function describeFixtures(fixtures: Fixtures) {
  return {
    ...fixtures,
    tokenIds: seededTokenIds,
    token: fixtures.gold,
    pool: fixtures.pools,
    collection: fixtures.collectible,
    order: fixtures.listing,
  };
}

/** The base URL of each service, in the form that clients accept. */
export type ServiceAddresses = PlatformOptions["hosts"];

/** Returns the base URLs of all services, which share one port. */
export function addressesOf(baseUrl: string): ServiceAddresses {
  return {
    api: baseUrl,
    indexer: baseUrl,
    marketplace: baseUrl,
    metadata: baseUrl,
    relayer: baseUrl,
  };
}
