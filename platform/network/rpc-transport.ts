import { BaseError, custom, http, type Transport } from "viem";

import { createRpcFetch, revert } from "./rpc-fetch.js";

/** A node of a chain. */
export interface RpcNode {
  readonly url: string;
  /** The ID of the chain that it must belong to. */
  readonly chainId: number;
  /** The timeout of a request. Keep it short, because callers wait for it. */
  readonly timeoutMs: number;
  /**
   * The maximum number of requests per batch. By default, they are not batched.
   */
  readonly batchSize?: number | undefined;
  /**
   * Called if the node belongs to a different chain, once per series of
   * failures.
   */
  readonly onOtherChain: (chainId: number) => void;
  /** Called each time the node is verified to belong to its chain. */
  readonly onVerified?: () => void;
}

/**
 * The size limit for contract results, which is enough for a document of
 * 256 KiB in base64 and hex.
 */
const maxCallBytes = 1024 * 1024;

/** The size limit for all other results, such as the logs of a large block. */
const maxAnswerBytes = 64 * 1024 * 1024;

/**
 * Sends requests to one node. The node's chain ID is verified before its first
 * result is used, and again after it has been unreachable. If a contract's
 * result is too large, the call is treated as reverted.
 */
export function rpcTransport(node: RpcNode): Transport {
  return (parameters) => {
    const open = (maxBytes: number, onTooLarge: () => Response) =>
      http(node.url, {
        timeout: node.timeoutMs,
        retryCount: 1,
        retryDelay: 100,
        fetchFn: createRpcFetch(maxBytes, onTooLarge),
        maxResponseBodySize: false,
        ...(node.batchSize && { batch: { batchSize: node.batchSize } }),
      })({ ...parameters, retryCount: undefined });
    const contracts = open(maxCallBytes, revert);
    const others = open(maxAnswerBytes, () => {
      throw new Error("the response is too large");
    });
    let otherChain: number | null = null;
    const verify = async (): Promise<void> => {
      const found = Number(await others.request({ method: "eth_chainId" }));
      const isNews = found !== otherChain;
      otherChain = found === node.chainId ? null : found;
      if (otherChain === null) return node.onVerified?.();
      if (isNews) node.onOtherChain(found);
      throw new BaseError(`its node belongs to chain ${found}`);
    };
    let verified: Promise<void> | null = null;
    const request: typeof others.request = async (question) => {
      try {
        verified ??= verify();
        await verified;
        const { request: ask } =
          question.method === "eth_call" ? contracts : others;
        return await ask(question);
      } catch (error) {
        // Errors with a code are responses from the node itself.
        if (!(error instanceof Error && "code" in error)) verified = null;
        throw error;
      }
    };
    return custom({ request }, { retryCount: 0 })(parameters);
  };
}
