import type { KnownRelay, KnownTransaction } from "../../relaying/next-step.js";
import { createRandom, pick } from "../crash/random.js";
import { idOf } from "./id-of.js";
import { findFault, findFinalFault } from "./lying-faults.js";
import { quotes } from "./lying-quotes.js";
import { answersOf, look, looksAt, mine, pause } from "./lying-steps.js";
import {
  account,
  gasOf,
  reorganize,
  rollupFee,
  type World,
} from "./lying-world.js";

/** How much can happen in the worlds that are explored. */
export interface LieBounds {
  readonly nodes: number;
  readonly kills: number;
  readonly pauses: number;
  readonly reorganizations: number;
}

/** The result of an exploration. */
export interface ExploredLies {
  /** In random orders, worlds that are reached again count again. */
  readonly worlds: number;
  readonly steps: number;
  /** What went wrong, with the world in which it did, or null. */
  readonly fault: string | null;
}

const unsent: KnownRelay = {
  ...{ state: "pending", hash: null, gasUsed: 0n, cost: 0n, blockNumber: null },
  ...{ transactions: [], settledMs: null, unexplainedMs: null },
};

/** A transaction that the chain has lost, so nonces before it are unused. */
const lost: KnownTransaction = {
  ...{ hash: "filler 0", account, nonce: 1, isCancel: true },
  ...{ signedAt: 0, signedMs: 0 },
  limits: { gas: gasOf.cancel, price: 210n, charge: 0n },
};

function createWorld({ nodes: _, ...bounds }: LieBounds): World {
  const accepted = { known: unsent, isFinal: false };
  const relay = { ...accepted, reserved: 0n, mostReserved: 0n };
  // Nobody has confirmed the rollup's fee for the second relay.
  const relays = [
    { ...relay, dataFee: 2n * rollupFee },
    { ...relay, dataFee: 0n },
  ];
  return {
    ...{
      mined: [],
      removed: [],
      height: 10,
      relays,
      fillers: [lost],
      offers: { [lost.hash]: { tip: 10n, dataFee: 0n, isStuck: false } },
    },
    ...{ sent: [], isLate: false, ...bounds },
  };
}

/** Returns everything that can happen without an instance. */
function happen(world: World): readonly World[] {
  return [
    ...mine(world),
    ...reorganize(world),
    ...(world.isLate ? [] : [{ ...world, isLate: true }]),
    ...(world.pauses > 0 ? [pause(world)] : []),
  ];
}

/**
 * Explores all worlds within the bounds, each one once and the nearest first,
 * until the time is up. Stops at the first fault.
 */
export function exploreLies(bounds: LieBounds, maxMs: number): ExploredLies {
  const first = createWorld(bounds);
  const known = new Set([idOf(first)]);
  const queue = [first];
  const end = performance.now() + maxMs;
  let steps = 0;
  for (const world of queue) {
    const fault = findFault(world, bounds.nodes);
    const found = fault ?? findFinalFault(world, bounds.nodes);
    if (found !== null) {
      return { worlds: known.size, steps, fault: describe(found, world) };
    }
    if (performance.now() > end) break;
    const next = looksAt(world, bounds.nodes)
      .filter(({ isKilled }) => !isKilled || world.kills > 0)
      .map((how) => look(world, how));
    for (const each of [...happen(world), ...next]) {
      steps += 1;
      const key = idOf(each);
      if (known.has(key)) continue;
      known.add(key);
      queue.push(each);
    }
  }
  return { worlds: known.size, steps, fault: null };
}

/** Takes a number of steps in random orders of events. */
export function exploreRandomLies(
  bounds: LieBounds,
  minSteps: number,
  seed: number,
): ExploredLies {
  const random = createRandom(seed);
  const answers = answersOf(bounds.nodes);
  const quoteNames = [...quotes.keys()];
  let steps = 0;
  let worlds = 0;
  while (steps < minSteps) {
    let world = createWorld(bounds);
    const length = 5 + Math.floor(40 * random());
    for (let step = 0; step < length; step += 1) {
      steps += 1;
      const options = random() < 0.3 ? happen(world) : [];
      const next: World =
        options.length > 0
          ? pick(random, options)
          : look(world, {
              relay: pick(random, [0, 1]),
              lies: pick(random, answers),
              quote: pick(random, quoteNames),
              isClockOff: random() < 0.2,
              isKilled: random() < 0.2,
            });
      if (next === world) continue;
      world = next;
      worlds += 1;
      const fault = findFault(world, bounds.nodes);
      if (fault !== null) {
        return { worlds, steps, fault: describe(fault, world) };
      }
    }
    const fault = findFinalFault(world, bounds.nodes);
    if (fault !== null) {
      return { worlds, steps, fault: describe(fault, world) };
    }
  }
  return { worlds, steps, fault: null };
}

function describe(fault: string, world: World): string {
  const text = JSON.stringify(world, (_, each: unknown) =>
    typeof each === "bigint" ? `${each}n` : each,
  );
  return `${fault}: ${text}`;
}
