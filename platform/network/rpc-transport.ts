import { BaseError, custom, http, type Transport } from "viem";

import { requireForm } from "./rpc-answers.js";

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
 * result is used, and again after it has been unreachable. A malformed answer is
 * a failure of the node. If a contract's result is too large, the call is treated
 * as reverted.
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
    const verifyOnce = (): Promise<void> =>
      (verified ??= verify().catch((error: unknown) => {
        verified = null;
        throw error;
      }));
    const request: typeof others.request = async (question) => {
      await verifyOnce();
      const { request: ask } =
        question.method === "eth_call" ? contracts : others;
      try {
        return requireForm(question.method, await ask(question));
      } catch (error) {
        // Errors with a code are responses from the node itself.
        if (!(error instanceof Error && "code" in error)) verified = null;
        throw error;
      }
    };
    return custom({ request }, { retryCount: 0 })(parameters);
  };
}

/** Creates the response to return if the original is too large. */
type OnTooLarge = () => Response;

/**
 * Creates a `fetch` that limits the size of a response and reads all of it
 * before it resolves. viem's own timeout only covers the headers, so a body
 * that never ends would block the caller forever.
 */
function createRpcFetch(
  maxBytes: number,
  onTooLarge: OnTooLarge,
): typeof fetch {
  return async (url, init) => {
    const { body, headers, status, statusText } = await fetch(url, init);
    const chunks: Uint8Array[] = [];
    let size = 0;
    // Leaving the loop early cancels the rest of the body.
    for await (const chunk of body ?? []) {
      size += chunk.length;
      if (size > maxBytes) return onTooLarge();
      chunks.push(chunk);
    }
    return new Response(Buffer.concat(chunks), { headers, status, statusText });
  };
}

/** Creates the response that a node sends if a contract call reverts. */
function revert(): Response {
  const error = {
    code: 3,
    message: "execution reverted: the response is too large",
  };
  return Response.json({ jsonrpc: "2.0", id: 0, error });
}
