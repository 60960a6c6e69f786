import type { Logger } from "pino";
import {
  createPublicClient,
  custom,
  defineChain,
  type PublicClient,
  ResourceUnavailableRpcError,
} from "viem";
import type { NetworkSettings } from "../settings/settings.js";
import { hedgedTransport } from "./hedged-transport.js";
import { rpcTransport } from "./rpc-transport.js";

const timeoutMs = 5000;

/** How a chain is asked. */
export interface ChainClientOptions {
  /** How many requests at once go in one; each alone unless given. */
  readonly batchSize?: number;
  /** Hears of nodes of other chains. */
  readonly log?: Logger;
}

/**
 * Opens a chain for reading: its RPC URLs are asked in their order. Ask it
 * through `readChain`, which tells an answer from none.
 *
 * Errors: none; each read of a network without an RPC URL fails.
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
  const transports = rpcUrls.map((url, index) =>
    rpcTransport({
      ...{ url, chainId, timeoutMs, batchSize },
      onOtherChain: (found) =>
        log?.error(
          { network: handle, rpcUrl: index + 1, expected: chainId, found },
          "an RPC URL leads to a node of another chain, and is not used",
        ),
    }),
  );
  return createPublicClient({
    chain,
    // Contracts could name URLs to be asked, which nobody guards (ERC-3668).
    ccipRead: false,
    transport:
      transports.length > 0 ? hedgedTransport(transports) : unreachable,
  });
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
