import { BaseError, custom, http, type Transport } from "viem";

import { createRpcFetch, revert } from "./rpc-fetch.js";

/** A node of a chain. */
export interface RpcNode {
  readonly url: string;
  /** The ID of the chain to which it must belong. */
  readonly chainId: number;
  /** The timeout of a request, kept short because callers wait for it. */
  readonly timeoutMs: number;
  /**
   * The maximum number of requests per batch. By default, they are not batched.
   */
  readonly batchSize?: number | undefined;
  /**
   * Called if the node belongs to another chain, once per series of failures.
   */
  readonly onOtherChain: (chainId: number) => void;
  /** Called each time that the node was found to belong to its chain. */
  readonly onVerified?: () => void;
}

/** The limit for contract answers: a document of 256 KiB in base64 and hex. */
const maxCallBytes = 1024 * 1024;

/** The limit for all other answers, such as the logs of a large block. */
const maxAnswerBytes = 64 * 1024 * 1024;

/**
 * Sends requests to one node. Its chain ID is verified before its first answer
 * is used, and again after it was unreachable. If a contract's answer is too
 * large, the call counts as reverted.
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
      throw new Error("the answer is too large");
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
        // Errors with a code are answers of the node itself.
        if (!(error instanceof Error && "code" in error)) verified = null;
        throw error;
      }
    };
    return custom({ request }, { retryCount: 0 })(parameters);
  };
}
