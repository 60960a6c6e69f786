import { BaseError, custom, http, type Transport } from "viem";

import { createRpcFetch, revert } from "./rpc-fetch.js";

/** A node to ask. */
export interface RpcNode {
  readonly url: string;
  /** The chain that it has to be of. */
  readonly chainId: number;
  /** A chain that is slower is as good as down: callers wait for us. */
  readonly timeoutMs: number;
  /** How many requests at once go in one; each alone unless given. */
  readonly batchSize?: number | undefined;
  /** Hears that the node is of another chain, the first time in a row. */
  readonly onOtherChain: (chainId: number) => void;
}

/** What a contract answers: a document of 256 KiB, in base64 and in hex. */
const maxCallBytes = 1024 * 1024;

/** Anything else, such as the logs of a large block. */
const maxAnswerBytes = 64 * 1024 * 1024;

/**
 * Asks one node. Its chain id is compared before its first answer counts, and
 * again once it was out of reach. A contract that answers too much counts as
 * one that reverts.
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
      if (otherChain === null) return;
      if (isNews) node.onOtherChain(found);
      throw new BaseError(`its node is of chain ${found}`);
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
        // Errors with a code are what the node itself says.
        if (!(error instanceof Error && "code" in error)) verified = null;
        throw error;
      }
    };
    return custom({ request }, { retryCount: 0 })(parameters);
  };
}
