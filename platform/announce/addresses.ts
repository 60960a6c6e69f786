/** Base address of each service, as clients take it. */
export interface ServiceAddresses {
  readonly api: string;
  readonly relayer: string;
}

/** All services of a platform live on one port. */
export function addressesOf(baseUrl: string): ServiceAddresses {
  return { api: baseUrl, relayer: baseUrl };
}
