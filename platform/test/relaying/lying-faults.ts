import { truth } from "./lying-quotes.js";
import {
  allowedOf,
  costsOf,
  fillerLimits,
  look,
  mine,
  pause,
} from "./lying-steps.js";
import type { KnownRelay } from "../../relaying/next-step.js";
import {
  costOf,
  type Lie,
  market,
  type Mined,
  paidPriceOf,
  transactionsOf,
  type World,
} from "./lying-world.js";

/** Returns what is wrong with a world, or null. */
export function findFault(world: World, nodes: number): string | null {
  const costs = costsOf(world);
  const isCall = isCallIn(world);
  const total = [...costs.values()].reduce((sum, cost) => sum + cost, 0n);
  if (costs.size > fillerLimits.nonces) return "too many fillers";
  if (total > fillerLimits.cost) return "fillers cost too much";
  if (nodes > 1 && world.relays.some(({ known }) => isDear(world, known))) {
    return "one node has set a price";
  }
  if (nodes > 1 && isDear(world, { transactions: world.fillers })) {
    return "one node has set the price of a filler";
  }
  for (const [index, stored] of world.relays.entries()) {
    const { isFinal, known, mostReserved } = stored;
    const isOwn = ({ hash }: Mined): boolean => hash.startsWith(`${index} `);
    const own = world.mined.filter(isOwn);
    const ever = [...own, ...world.removed.filter(isOwn)];
    const calls = own.filter(isCall);
    if (calls.filter(({ isSuccess }) => isSuccess).length > 1) {
      return "a call was made twice";
    }
    if (nodes > 1) {
      if (calls.length > 1 && world.removed.length === 0) {
        return "a call was mined twice";
      }
      const isMade = ever.some(isCall);
      if (known.state === "expired" && !world.isLate)
        return "a call expired early";
      const isBooked = known.state === "done" || known.state === "reverted";
      if (isBooked && !isMade) return "a call that was not mined was booked";
      if (known.cost > chargeOf(world, ever)) return "a tank paid too much";
    }
    const gas = known.transactions.reduce(
      (sum, { limits }) => sum + limits.gas,
      0n,
    );
    if (known.gasUsed > gas) return "more gas was booked than was signed";
    if (known.cost > allowedOf(stored)) return "a tank paid more than it may";
    const reserved = known.transactions.reduce(
      (sum, { limits }) => (sum > limits.charge ? sum : limits.charge),
      0n,
    );
    if (reserved > mostReserved) return "a charge was not reserved";
    if (!isFinal) continue;
    if (known.state === "pending") return "a reservation is kept";
    if (nodes > 1 && known.cost !== chargeOf(world, own)) {
      return "a final cost is wrong";
    }
  }
  return null;
}

/** Returns a function that tells mined calls from transactions without effect. */
function isCallIn(world: World): (mined: Mined) => boolean {
  const calls = transactionsOf(world).filter(({ isCancel }) => !isCancel);
  const hashes = new Set(calls.map(({ hash }) => hash));
  return ({ hash }) => hashes.has(hash);
}

/**
 * Returns whether a transaction pays more than the true price, and neither
 * replaces one that pays almost as much nor one that stayed unmined.
 */
function isDear(
  world: World,
  { transactions }: Pick<KnownRelay, "transactions">,
): boolean {
  return transactions.some((each, index) => {
    const last = transactions
      .slice(0, index)
      .findLast(({ nonce }) => nonce === each.nonce);
    const before = last ? paidPriceOf(world, last) : 0n;
    const raised = (before * 9n) / 8n + 1n;
    const right = market.baseFee + market.offer;
    return (
      world.offers[each.hash]?.isStuck !== true &&
      paidPriceOf(world, each) > (raised > right ? raised : right)
    );
  });
}

/** Returns what the tank pays for mined transactions of a relay. */
function chargeOf(world: World, own: readonly Mined[]): bigint {
  const all = transactionsOf(world);
  const hashes = new Set(own.map(({ hash }) => hash));
  return [...hashes].reduce((sum, hash) => {
    const found = all.find((each) => each.hash === hash);
    if (found === undefined) return sum;
    const cost = costOf(world, found);
    return sum + (cost < found.limits.charge ? cost : found.limits.charge);
  }, 0n);
}

/**
 * Continues with honest nodes. Returns what is wrong at the end, or null if all
 * relays are final, at exactly their costs.
 */
export function findFinalFault(start: World, nodes: number): string | null {
  const before = start.relays.map(({ isFinal }) => isFinal);
  const answers = Array<Lie>(nodes).fill("truth");
  const settle = (before: World): World => {
    let world = before;
    for (let round = 0; round < 4; round += 1) {
      const last = world;
      for (const relay of [0, 1]) {
        const truly = { lies: answers, quote: truth, isClockOff: false };
        world = look(world, { ...truly, relay, isKilled: false });
      }
      if (world === last) return world;
    }
    return world;
  };
  let world: World = { ...start, kills: 0, reorganizations: 0 };
  for (let round = 0; round < 200; round += 1) {
    world = settle(world);
    for (let next = mine(world)[0]; next; next = mine(world)[0]) world = next;
    world = settle(world);
    if (world.relays.every(({ isFinal }) => isFinal)) break;
    world = pause(world);
  }
  if (!world.relays.every(({ isFinal }) => isFinal))
    return "a relay stays open";
  for (const [index, { known }] of world.relays.entries()) {
    if (nodes === 1 && before[index]) continue;
    const own = world.mined.filter(({ hash }) => hash.startsWith(`${index} `));
    if (known.cost !== chargeOf(world, own))
      return "a cost is wrong at the end";
  }
  return findFault(world, nodes);
}
