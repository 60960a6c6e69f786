import {
  chooseNonce,
  type Evidence,
  judgeGas,
  judgeMarket,
  judgeReached,
  judgeReports,
  maxGas,
  noncesBefore,
  offerPrice,
  type Report,
} from "../../relaying/evidence/evidence.js";
import {
  dynamic,
  isTooLow,
  type Market,
  type Price,
} from "../../relaying/evidence/price.js";
import { explainFillerLimit } from "../../relaying/filler-budget.js";
import {
  chooseReplacement,
  type Findings,
  isStuck,
  judgeLateness,
  type KnownTransaction,
  lostMs,
  minFinalMs,
  nextStep,
  type Step,
} from "../../relaying/next-step.js";
import { combine } from "./combine.js";
import { idOf } from "./id-of.js";
import {
  account,
  balanceOf,
  blockOf,
  deadline,
  gasOf,
  hashesOf,
  honest,
  isAccepted,
  isSilent,
  type Lie,
  lies,
  market,
  reportOf,
  type StoredRelay,
  transactionsOf,
  type World,
} from "./lying-world.js";

const dayMs = 24 * 60 * 60 * 1000;

/** The network's maximum price, and what each relay may reserve. */
const limit = 10_000n;
export const allowed = 4n * gasOf.call * 210n;
/** What the account may pay for. */
export const fillerLimits = { nonces: 2, cost: 2n * gasOf.cancel * limit };

/** The prices and the gas of an empty transaction that a node can report. */
const quotes = [
  { ...market, gas: gasOf.cancel },
  { baseFee: 0n, offer: 0n, gas: 0n },
  { baseFee: 10n ** 15n, offer: 10n ** 15n, gas: 2n ** 60n },
  { ...market, gas: maxGas },
];

/** What nodes answer during one look at a relay. */
export interface Look {
  readonly relay: number;
  readonly lies: readonly Lie[];
  /** The position of the first node's prices and gas in `quotes`. */
  readonly quote: number;
  /** Whether the database's clock is an hour off. */
  readonly isClockOff: boolean;
  readonly isKilled: boolean;
}

/** Returns the answers that a number of nodes can give. */
export function answersOf(nodes: number): readonly (readonly Lie[])[] {
  return combine(
    Array.from({ length: nodes }, (_, index) => index),
    (index) => (index === 0 ? lies : honest),
  );
}

/** Returns all looks at a world that can have different effects. */
export function looksAt(world: World, nodes: number): readonly Look[] {
  return world.relays.flatMap((stored, relay) => {
    if (stored.isFinal) return [];
    const steps = new Map<string, { how: Look; step: Step }>();
    for (const each of answersOf(nodes)) {
      for (const isClockOff of [false, true]) {
        const how = {
          relay,
          lies: each,
          quote: 0,
          isClockOff,
          isKilled: false,
        };
        const step = decide(world, stored, how);
        if (step.kind === "ask" || step.kind === "wait") continue;
        // A look that drops transactions has an effect of its own.
        const isDropping = each[0] === "transactions are dropped";
        steps.set(`${idOf(step)} ${isDropping}`, { how, step });
      }
    }
    return [...steps.values()].flatMap(({ how, step }) =>
      step.kind !== "sign" && step.kind !== "push"
        ? [how]
        : quotes.flatMap((_, quote) =>
            [false, true].map((isKilled) => ({ ...how, quote, isKilled })),
          ),
    );
  });
}

/** Lets an instance take one step. Others can come between it and the next. */
export function look(world: World, how: Look): World {
  const stored = world.relays[how.relay];
  if (stored === undefined || stored.isFinal) return world;
  const step = decide(world, stored, how);
  return step.kind === "ask" || step.kind === "wait"
    ? world
    : act(world, stored, how, step);
}

function decide(world: World, stored: StoredRelay, how: Look): Step {
  const reports = how.lies.map((lie) => reportOf(world, stored, lie));
  if (reports.every((each) => each === null)) {
    return { kind: "wait", reason: "no node responds" };
  }
  const all = transactionsOf(world).map(({ nonce }) => nonce);
  const signed = new Map([[account, Math.max(-1, ...all) + 1]]);
  const { transactions } = stored.known;
  const known = { signed, transactions, maxRollupFee: 0n };
  const report = judgeReports(reports, known);
  const isPast = world.isLate !== how.isClockOff;
  const { time } = report;
  const lateness = judgeLateness({ deadline, time, isPast, isEmbedded: false });
  const findings: Findings = {
    ...{ report, lateness, users: new Map() },
    bookedBlock: how.lies.map((lie, index) => {
      const shown = reports[index] ?? null;
      const number = stored.known.blockNumber ?? 0;
      return shown && blockOf(world, number, lie, shown);
    }),
    views: how.lies.map((lie, index) => {
      const shown = reports[index] ?? null;
      if (shown === null) return null;
      const numbers = [...report.receipts.values()].map(
        ({ value }) => value.blockNumber,
      );
      return { head: shown.head, hashes: hashesOf(world, numbers, lie, shown) };
    }),
  };
  return nextStep(stored.known, findings, account);
}

type Effect = Exclude<Step, { readonly kind: "ask" | "wait" }>;

function act(
  world: World,
  stored: StoredRelay,
  how: Look,
  step: Effect,
): World {
  const { known } = stored;
  switch (step.kind) {
    case "note":
      return put(world, how, {
        ...stored,
        known: { ...known, unexplainedMs: step.isUnexplained ? 0 : null },
      });
    case "finish":
      return put(world, how, { ...stored, isFinal: true });
    case "book": {
      const settledMs = step.status.state === "pending" ? null : 0;
      const changed = { ...known, ...step.status, settledMs };
      return put(world, how, { ...stored, known: changed });
    }
    case "sign": {
      const price = offerPrice(readMarket(how));
      const balance = judgeReached(how.lies.map(balanceOf));
      if (price === null) return world;
      const cost = gasOf.call * price.value.max;
      if (balance.value < cost || known.cost + cost > allowed) return world;
      const all = transactionsOf(world).map(({ nonce }) => nonce);
      const lowest = all.length === 0 ? null : Math.min(...all);
      const { value: nonce } = chooseNonce(step.count, lowest, new Set(all));
      const reserved = reserve(stored, cost);
      return sign(world, how, reserved, { nonce, price, charge: cost });
    }
    case "push":
      return push(world, stored, how, step);
  }
}

function push(
  world: World,
  stored: StoredRelay,
  how: Look,
  { isCanceled, live, report }: Extract<Effect, { readonly kind: "push" }>,
): World {
  const [each] = live;
  const count = report.counts.get(account);
  if (each === undefined || count === undefined) return world;
  let after = world;
  for (const { value: nonce } of noncesBefore(count, each.nonce, 3)) {
    after = fill(after, how, nonce, report);
  }
  const resent = (): World => send(after, how, each.hash);
  const current = readMarket(how);
  const old = dynamic(each.limits.price, each.limits.price);
  const stuck = isStuck(each, count, report.head);
  const chosen = chooseReplacement({
    ...{ isCancel: each.isCancel, isCanceled },
    isTooLow: stuck || isTooLow(old, current.value),
  });
  if (chosen === "unchanged") return resent();
  const price = offerPrice(current, old, stuck);
  const gas = readGas(how);
  if (price === null || gas === null) return resent();
  const { nonce } = each;
  const full = gasOf.call * price.value.max;
  if (chosen === "call" && stored.known.cost + full <= allowed) {
    const reserved = reserve(stored, full);
    return sign(after, how, reserved, { nonce, price, charge: full });
  }
  const cost = gas.value * price.value.max;
  const canReserve =
    cost <= stored.reserved || stored.known.cost + cost <= allowed;
  const charge = canReserve ? cost : stored.reserved;
  if (cost > charge) {
    const added = { nonce, cost: cost - charge };
    const reason = explainFillerLimit(fillerLimits, costsOf(after), added);
    if (reason !== null) return resent();
  }
  const kept =
    canReserve && cost > stored.reserved ? reserve(stored, cost) : stored;
  return sign(after, how, kept, { nonce, price, charge, gas: gas.value });
}

/** Fills a nonce that belongs to no open relay. */
function fill(world: World, how: Look, nonce: number, report: Report): World {
  const { counts, head } = report;
  const owners = world.relays.filter(({ known }) =>
    known.transactions.some((each) => each.nonce === nonce),
  );
  if (owners.some(({ isFinal }) => !isFinal)) return world;
  if (owners.some((stored) => isLagging(world, how, stored))) return world;
  const last = world.fillers.findLast((each) => each.nonce === nonce);
  const current = readMarket(how);
  const old = last ? dynamic(last.limits.price, last.limits.price) : null;
  const stuck = last !== undefined && isStuck(last, counts.get(account), head);
  const resent = (): World => (last ? send(world, how, last.hash) : world);
  if (old && !stuck && !isTooLow(old, current.value)) return resent();
  const price = offerPrice(current, old, stuck);
  const gas = readGas(how);
  if (price === null || gas === null) return resent();
  const added = { nonce, cost: gas.value * price.value.max };
  if (explainFillerLimit(fillerLimits, costsOf(world), added) !== null) {
    return resent();
  }
  const hash = `filler ${world.fillers.length}`;
  const signing = { nonce, price, charge: 0n, gas: gas.value };
  const filler = transaction(world, hash, signing);
  return send({ ...world, fillers: [...world.fillers, filler] }, how, hash);
}

/** Returns whether nodes still have a final relay's receipts, so counts lag. */
function isLagging(world: World, how: Look, stored: StoredRelay): boolean {
  const reports = how.lies.map((lie) => reportOf(world, stored, lie));
  const { transactions } = stored.known;
  const known = { signed: new Map(), transactions, maxRollupFee: 0n };
  const { doubts, receipts } = judgeReports(reports, known);
  return doubts.size > 0 || receipts.size > 0;
}

/** Returns what the account pays for each nonce that no tank pays for. */
export function costsOf(world: World): ReadonlyMap<number, bigint> {
  const costs = new Map<number, bigint>();
  for (const { limits, nonce, signedMs } of transactionsOf(world)) {
    if (signedMs >= dayMs) continue;
    const cost = limits.gas * limits.price - limits.charge;
    if (cost <= 0n) continue;
    const before = costs.get(nonce) ?? 0n;
    costs.set(nonce, before > cost ? before : cost);
  }
  return costs;
}

function quotesOf({ lies: answers, quote }: Look) {
  return answers.flatMap((lie, index) => {
    const shown = quotes[index === 0 ? quote : 0];
    return isSilent(lie) || shown === undefined ? [] : [shown];
  });
}

function readMarket(how: Look): Evidence<Market> {
  return judgeMarket(quotesOf(how), limit);
}

function readGas(how: Look): Evidence<bigint> | null {
  return judgeGas(quotesOf(how).map(({ gas }) => gas));
}

interface Signing {
  readonly nonce: number;
  readonly price: Evidence<Price>;
  readonly charge: bigint;
  /** The gas limit of a transaction without effect. Calls have their own. */
  readonly gas?: bigint;
}

function sign(
  world: World,
  how: Look,
  stored: StoredRelay,
  signing: Signing,
): World {
  const { transactions } = stored.known;
  const hash = `${how.relay} ${transactions.length}`;
  const added = transaction(world, hash, signing);
  const known = {
    ...{ ...stored.known, hash },
    transactions: [...transactions, added],
  };
  return send(put(world, how, { ...stored, known }), how, hash);
}

function transaction(
  { height }: World,
  hash: string,
  { charge, gas = gasOf.call, nonce, price }: Signing,
): KnownTransaction {
  const isCancel = gas !== gasOf.call;
  return {
    ...{ hash, account, nonce, isCancel, signedAt: height, signedMs: 0 },
    limits: { gas, price: price.value.max, charge },
  };
}

function reserve(stored: StoredRelay, cost: bigint): StoredRelay {
  const most = stored.mostReserved > cost ? stored.mostReserved : cost;
  return { ...stored, reserved: cost, mostReserved: most };
}

/** Sends a transaction to all nodes, unless the instance is killed before. */
function send(
  world: World,
  { isKilled, lies: how }: Look,
  hash: string,
): World {
  if (isKilled && world.kills > 0) return { ...world, kills: world.kills - 1 };
  const isReceived = how.some(
    (lie) => !isSilent(lie) && lie !== "transactions are dropped",
  );
  if (!isReceived) return world;
  return { ...world, sent: [...new Set([...world.sent, hash])].sort() };
}

function put(world: World, { relay }: Look, stored: StoredRelay): World {
  return { ...world, relays: world.relays.with(relay, stored) };
}

/** Mines each transaction that can be next. */
export function mine(world: World): readonly World[] {
  const nonce = world.mined.length;
  const height = world.height + 1;
  return transactionsOf(world)
    .filter(
      (each) =>
        each.nonce === nonce &&
        world.sent.includes(each.hash) &&
        isAccepted(each),
    )
    .map(({ hash, isCancel }) => {
      const isMade = world.mined.some(
        (each) => each.hash[0] === hash[0] && isCallOf(world, each.hash),
      );
      const isSuccess = isCancel || !isMade;
      const mined = [...world.mined, { hash, height, isSuccess }];
      return { ...world, height, mined };
    });
}

export function isCallOf(world: World, hash: string): boolean {
  const found = transactionsOf(world).find((each) => each.hash === hash);
  return found !== undefined && !found.isCancel;
}

/** Lets 15 minutes and 600 blocks pass. */
export function pause(world: World): World {
  const height = world.height + 600;
  const age = (each: KnownTransaction): KnownTransaction => ({
    ...each,
    signedMs: each.signedMs + minFinalMs,
  });
  const relays = world.relays.map((stored) => {
    const { settledMs, transactions, unexplainedMs } = stored.known;
    return {
      ...stored,
      known: {
        ...stored.known,
        transactions: transactions.map(age),
        settledMs: settledMs === null ? null : minFinalMs,
        unexplainedMs: unexplainedMs === null ? null : lostMs,
      },
    };
  });
  const fillers = world.fillers.map(age);
  return { ...world, height, relays, fillers, pauses: world.pauses - 1 };
}
