import { pause } from "../../process/lifecycle/pause.js";
import { majorityOf } from "./majority.js";

/** How long to wait for other nodes once the first ones agree. */
const othersMs = 500;

/** How long to wait for other nodes while the first ones do not agree. */
const doubtMs = 3000;

/** How long a node that responded too late is only waited for in doubt. */
const cooldownMs = 10_000;

/** When nodes are waited for again, as measured by `performance.now()`. */
type Cooldown = WeakMap<object, number>;

/** Of nodes that had not responded when a question ended. */
const slow: Cooldown = new WeakMap();

/** Of nodes that had not even responded after the longer time. */
const silent: Cooldown = new WeakMap();

/**
 * Asks all nodes of a network. Waits longer for slow ones until a majority has
 * responded and the responses are enough, so that a fast node does not decide
 * alone.
 *
 * Input: if `canBeFew`, nodes that were silent before are not waited for, even if
 * fewer than a majority have responded.
 * Returns a result for each node, or null if it does not respond in time.
 * Errors: the error of the first node, if no node responds; any error from
 * `isEnough`.
 */
export async function askAll<Node extends object, Result>(
  nodes: readonly Node[],
  ask: (node: Node) => Promise<Result>,
  isEnough: (results: readonly (Result | null)[]) => boolean = () => true,
  canBeFew = false,
): Promise<readonly (Result | null)[]> {
  const results = new Map<Node, Result>();
  const waiting = new Set(nodes);
  const found = (): readonly (Result | null)[] =>
    nodes.map((node) => results.get(node) ?? null);
  const now = performance.now();
  const isAnyAwaited = (cooldown: Cooldown): boolean =>
    [...waiting].some((node) => (cooldown.get(node) ?? 0) <= now);
  const stopping = new AbortController();
  const wait = (ms: number): Promise<void> => pause(ms, stopping.signal);
  const asked = nodes.map(async (node) => {
    try {
      results.set(node, await ask(node));
      slow.delete(node);
      silent.delete(node);
    } finally {
      waiting.delete(node);
    }
  });
  const first = Promise.any(asked);
  const soon = first.then(() => wait(othersMs));
  const late = first.then(() => wait(doubtMs));
  const isDone = (isSoon: boolean): boolean => {
    if (waiting.size === 0) return true;
    return results.size >= majorityOf(nodes.length)
      ? (isSoon || !isAnyAwaited(slow)) && isEnough(found())
      : canBeFew && isSoon && !isAnyAwaited(silent);
  };
  let isLate = false;
  await new Promise<void>((resolve, reject) => {
    let isSoon = false;
    const check = (): void => {
      if (isDone(isSoon)) resolve();
    };
    // Nobody else handles an error of `check`, which would end the process.
    for (const each of asked) each.then(check, check).catch(reject);
    soon
      .then(() => (isSoon = true))
      .then(check, check)
      .catch(reject);
    late
      .then(() => (isLate = !stopping.signal.aborted))
      .then(() => resolve())
      .catch(() => undefined);
  }).finally(() => stopping.abort());
  // Without any result, this rejects with the error of the first node.
  if (results.size === 0) await asked[0];
  for (const node of waiting) {
    slow.set(node, now + cooldownMs);
    if (isLate) silent.set(node, now + cooldownMs);
  }
  return found();
}
