import type { PlatformOptions } from "../../generated/client.js";

/** Base address of each service, as clients take it. */
export type ServiceAddresses = PlatformOptions["hosts"];

/** All services of a platform live on one port, on the default network. */
export function addressesOf(baseUrl: string): ServiceAddresses {
  return {
    api: baseUrl,
    indexer: baseUrl,
    marketplace: baseUrl,
    metadata: baseUrl,
    relayer: baseUrl,
  };
}
