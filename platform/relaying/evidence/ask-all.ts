import type { PublicClient } from "viem";

import { pause } from "../../process/lifecycle/pause.js";

/** How long to wait for other nodes once the first one has responded. */
const othersMs = 500;

/** How long a node that responded too late is not waited for. */
const cooldownMs = 10_000;

/** When nodes are waited for again, as measured by `performance.now()`. */
const coolsDownUntil = new WeakMap<PublicClient, number>();

/**
 * Asks all nodes of a network.
 *
 * Returns a result for each node, or null if it does not respond soon after the
 * first one.
 * Errors: the error of the first node, if no node responds.
 */
export async function askAll<Result>(
  nodes: readonly PublicClient[],
  ask: (node: PublicClient) => Promise<Result>,
): Promise<readonly (Result | null)[]> {
  const results = new Map<PublicClient, Result>();
  const asked = nodes.map(async (node) => {
    results.set(node, await ask(node));
    coolsDownUntil.delete(node);
  });
  const now = performance.now();
  const isAwaited = (node: PublicClient): boolean =>
    (coolsDownUntil.get(node) ?? 0) <= now;
  const awaited = asked.filter(
    (_, index) => nodes[index] && isAwaited(nodes[index]),
  );
  const stopping = new AbortController();
  const any = Promise.any(asked);
  const all = Promise.allSettled(awaited).then(() => any);
  const soon = any.then(() => pause(othersMs, stopping.signal));
  await Promise.race([all, soon]).catch(() => undefined);
  stopping.abort();
  // Without any result, this rejects with the error of the first node.
  if (results.size === 0) await asked[0];
  for (const node of nodes) {
    if (!results.has(node)) coolsDownUntil.set(node, now + cooldownMs);
  }
  return nodes.map((node) => results.get(node) ?? null);
}
