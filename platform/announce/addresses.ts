import type { PlatformOptions } from "../../generated/client.js";

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
