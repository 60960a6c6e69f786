import { setTimeout as sleep } from "node:timers/promises";

import { BaseError, custom, type Transport } from "viem";

import { isRefusal } from "./read-chain.js";

/**
 * If a node has not responded within this time, the request is also sent to the
 * next one.
 */
const hedgeAfterMs = 500;

/**
 * How long a node is tried last after it has failed or responded too slowly.
 */
const cooldownMs = 10_000;

type Request = ReturnType<Transport>["request"];

type RpcRequest = Parameters<Request>[0];

interface Node {
  readonly request: Request;
  /**
   * When the node is no longer tried last, as measured by `performance.now()`.
   */
  coolsDownUntil: number;
}

/** Returns the node's result, or throws the error that it reported. */
type ReadResult = () => unknown;

/**
 * Sends requests to the nodes of a chain in order. If one fails or is late, the
 * request is also sent to the next one, and the first response is used. A
 * reverted call is also a response.
 *
 * Errors: any error from the last node, if none responds.
 */
export function hedgedTransport(transports: readonly Transport[]): Transport {
  return (parameters) => {
    const nodes = transports.map((open): Node => {
      const { request } = open({ ...parameters, retryCount: 0 });
      return { request, coolsDownUntil: 0 };
    });
    const request = async (question: RpcRequest): Promise<unknown> => {
      const now = performance.now();
      const isCoolingDown = ({ coolsDownUntil }: Node): boolean =>
        coolsDownUntil > now;
      const inOrder = [
        ...nodes.filter((node) => !isCoolingDown(node)),
        ...nodes.filter(isCoolingDown),
      ];
      return (await askInTurn(inOrder, question))();
    };
    return custom({ request }, { retryCount: 0 })(parameters);
  };
}

async function askInTurn(
  [node, ...others]: readonly Node[],
  question: RpcRequest,
): Promise<ReadResult> {
  if (node === undefined) throw new BaseError("there is no node to ask");
  let isPending = true;
  const asked = ask(node, question).finally(() => (isPending = false));
  if (others.length === 0) return asked;
  const timer = new AbortController();
  const { signal } = timer;
  const late = sleep(hedgeAfterMs, undefined, { signal });
  await Promise.race([asked, late]).catch(() => undefined);
  late.catch(() => undefined);
  timer.abort();
  if (!isPending) return asked.catch(() => askInTurn(others, question));
  const next = askInTurn(others, question).then((answer) => {
    if (isPending) coolDown(node);
    return answer;
  });
  return Promise.any([asked, next]).catch(() => next);
}

async function ask(node: Node, question: RpcRequest): Promise<ReadResult> {
  try {
    const answer: unknown = await node.request(question);
    return () => answer;
  } catch (error) {
    if (!(error instanceof BaseError && isRefusal(error))) {
      coolDown(node);
      throw error;
    }
    return () => {
      throw error;
    };
  }
}

function coolDown(node: Node): void {
  node.coolsDownUntil = performance.now() + cooldownMs;
}
