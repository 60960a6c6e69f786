import type { Logger } from "pino";
import {
  createPublicClient,
  custom,
  defineChain,
  getAddress,
  type PublicClient,
  ResourceUnavailableRpcError,
} from "viem";

import type { NetworkSettings } from "../settings/read-network.js";
import { hedgedTransport } from "./hedged-transport.js";
import { rpcTransport } from "./rpc-transport.js";

const timeoutMs = 5000;

/** Options of a chain client. */
export interface ChainClientOptions {
  /**
   * The maximum number of requests per batch. By default, they are not batched.
   */
  readonly batchSize?: number;
  /** Logs nodes that belong to a different chain, and missing contracts. */
  readonly log?: Logger;
}

/**
 * Opens a chain for reading, with its RPC URLs in order of preference. Use it
 * through `readChain`, which distinguishes a rejected call from a missing
 * response.
 *
 * Errors: none; each read from a network without an RPC URL fails.
 */
export function openChainClient(
  network: NetworkSettings,
  { batchSize, log }: ChainClientOptions = {},
): PublicClient {
  const { handle, chainId, nativeSymbol, rpcUrls } = network;
  const chain = defineChain({
    id: chainId,
    name: handle,
    nativeCurrency: { name: nativeSymbol, symbol: nativeSymbol, decimals: 18 },
    rpcUrls: { default: { http: rpcUrls } },
  });
  let isChecked = false;
  const checkOnce = (): void => {
    if (isChecked || log === undefined) return;
    isChecked = true;
    checkContracts(client, network, log).catch(() => {
      isChecked = false;
    });
  };
  const transports = rpcUrls.map((url, index) =>
    rpcTransport({
      ...{ url, chainId, timeoutMs, batchSize },
      onOtherChain: (found) =>
        log?.error(
          { network: handle, rpcUrl: index + 1, expected: chainId, found },
          "an RPC URL belongs to another chain and is not used",
        ),
      onVerified: checkOnce,
    }),
  );
  const client = createPublicClient({
    chain,
    // Contracts can name URLs (ERC-3668), and requests to them would bypass the
    // guard.
    ccipRead: false,
    transport:
      transports.length > 0 ? hedgedTransport(transports) : unreachable,
  });
  return client;
}

const unreachable = custom(
  {
    request: () =>
      Promise.reject(
        new ResourceUnavailableRpcError(new Error("it has no RPC URL")),
      ),
  },
  { retryCount: 0 },
);

/**
 * Logs an error for each contract in a network's settings that does not exist
 * on its chain. Without this check, a wrong address would look like a
 * marketplace without orders, or a router without routes.
 *
 * Errors: any error from viem if the chain does not respond.
 */
async function checkContracts(
  client: PublicClient,
  { handle, marketplace, swap }: NetworkSettings,
  log: Pick<Logger, "error">,
): Promise<void> {
  const addresses = {
    "marketplace.seaport": marketplace?.seaport,
    "marketplace.dollar": marketplace?.dollar,
    "swap.router": swap?.router,
    "swap.v3.quoter": swap?.v3?.quoter,
    "swap.v3.router": swap?.v3?.router,
  };
  const found = await Promise.all(
    Object.entries(addresses).map(async ([setting, text]) => {
      if (text === undefined || text === null) return [];
      const address = getAddress(text);
      const code = await client.getCode({ address });
      return code === undefined ? [{ setting, address }] : [];
    }),
  );
  for (const { address, setting } of found.flat()) {
    log.error(
      { setting: `networks.${handle}.${setting}`, address },
      "the settings name a contract that does not exist on the chain",
    );
  }
}
