import {
  chooseNonce,
  type Evidence,
  judgeGas,
  judgeMarket,
  judgeReached,
  judgeReports,
  judgeRollupFee,
  noncesBefore,
  offerPrice,
  type Report,
} from "../../relaying/evidence/evidence.js";
import type { NodeReport } from "../../relaying/evidence/reports.js";
import {
  dynamic,
  isTooLow,
  legacy,
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
import { quotes, truth } from "./lying-quotes.js";
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
  limit,
  maxRollupFee,
  nextNonceOf,
  reportOf,
  rollupFee,
  type StoredRelay,
  transactionsOf,
  type World,
} from "./lying-world.js";

const dayMs = 24 * 60 * 60 * 1000;

/** What a relay may reserve: four times its maximum cost at first. */
export function allowedOf({ dataFee }: Pick<StoredRelay, "dataFee">): bigint {
  return 4n * (gasOf.call * 210n + dataFee);
}

/** What the account may pay for. */
export const fillerLimits = {
  ...{ nonces: 2, cost: 2n * (gasOf.cancel * limit + 2n * rollupFee) },
};

/** What nodes answer during one look at a relay. */
export interface Look {
  readonly relay: number;
  readonly lies: readonly Lie[];
  /** The name of the first node's quote. */
  readonly quote: string;
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
          quote: truth,
          isClockOff,
          isKilled: false,
        };
        const step = decide(world, stored, how);
        if (step.kind === "ask" || step.kind === "wait") continue;
        // What nodes do with transactions and quotes has an effect of its own.
        const isDropping = each[0] === "transactions are dropped";
        const silent = each.map(isSilent).join();
        steps.set(`${idOf(step)} ${isDropping} ${silent}`, { how, step });
      }
    }
    return [...steps.values()].flatMap(({ how, step }) =>
      step.kind !== "sign" && step.kind !== "push"
        ? [how]
        : [...quotes.keys()].flatMap((quote) =>
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
  const reports = reportsOf(world, stored, how);
  if (reports.every((each) => each === null)) {
    return { kind: "wait", reason: "no node responds" };
  }
  const signed = new Map([[account, nextNonceOf(world)]]);
  const { transactions } = stored.known;
  const known = { signed, transactions, maxRollupFee };
  const report = judgeReports(reports, known);
  const isPast = world.isLate !== how.isClockOff;
  const { time } = report;
  const lateness = judgeLateness({ deadline, time, isPast, isEmbedded: false });
  const first: Findings = { report, lateness, users: new Map() };
  const step = nextStep(stored.known, first, account);
  // Few looks need the answers to more questions.
  if (step.kind !== "ask") return step;
  const findings: Findings = {
    ...first,
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

/** Returns what each node reports. Nodes with the same answers share a report. */
function reportsOf(world: World, stored: StoredRelay, { lies: answers }: Look) {
  const reports = new Map<Lie, NodeReport | null>();
  return answers.map((lie) => {
    const known = reports.get(lie);
    if (known !== undefined) return known;
    const report = reportOf(world, stored, lie);
    reports.set(lie, report);
    return report;
  });
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
      const settledMs = step.status.value.state === "pending" ? null : 0;
      const changed = { ...known, ...step.status.value, settledMs };
      return put(world, how, { ...stored, known: changed });
    }
    case "sign": {
      const current = readMarket(how);
      const price = current && offerPrice(current);
      const balance = judgeReached(how.lies.map(balanceOf));
      if (price === null) return world;
      const { dataFee } = stored;
      const cost = gasOf.call * price.value.max + dataFee;
      if (balance.value < cost || known.cost + cost > allowedOf(stored)) {
        return world;
      }
      const all = transactionsOf(world).map(({ nonce }) => nonce);
      const lowest = all.length === 0 ? null : Math.min(...all);
      const { value: nonce } = chooseNonce(step.count, lowest, new Set(all));
      const reserved = reserve(stored, cost);
      const signing = { nonce, price, charge: cost, dataFee };
      return sign(world, how, reserved, signing);
    }
    case "push":
      return push(world, stored, how, step);
  }
}

function push(
  world: World,
  stored: StoredRelay,
  how: Look,
  step: Extract<Effect, { readonly kind: "push" }>,
): World {
  const { doubt, isCanceled, live, report } = step;
  const isKilled = (after: World): boolean => after.kills < world.kills;
  if (doubt !== null) {
    return live.reduce(
      (after, { hash }) => (isKilled(after) ? after : send(after, how, hash)),
      world,
    );
  }
  const [each] = live;
  const count = report.counts.get(account);
  if (each === undefined || count === undefined) return world;
  let after = world;
  for (const { value: nonce } of noncesBefore(count, each.nonce, 3)) {
    after = fill(after, how, nonce, report);
    if (isKilled(after)) return after;
  }
  const resent = (): World =>
    isCanceled && !each.isCancel ? after : send(after, how, each.hash);
  const current = readMarket(how);
  if (current === null) return resent();
  const old = priceOf(world, each);
  const stuck = isStuck(each, count, report.head);
  const chosen = chooseReplacement({
    ...{ isCancel: each.isCancel, isCanceled },
    isTooLow: stuck || isTooLow(old, current.value),
  });
  if (chosen === "unchanged") return send(after, how, each.hash);
  const price = offerPrice(current, old, stuck);
  const gas = readGas(how);
  if (price === null || gas === null) return resent();
  const { nonce } = each;
  const { dataFee } = stored;
  const parts = { nonce, price, dataFee, isStuck: stuck };
  const allowed = allowedOf(stored);
  const full = gasOf.call * price.value.max + dataFee;
  if (chosen === "call" && stored.known.cost + full <= allowed) {
    const reserved = reserve(stored, full);
    return sign(after, how, reserved, { ...parts, charge: full });
  }
  const cost = gas.value * price.value.max + dataFee;
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
  return sign(after, how, kept, { ...parts, charge, gas: gas.value });
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
  if (current === null) return world;
  const replaced =
    last ??
    owners
      .flatMap(({ known }) => known.transactions)
      .findLast((each) => each.nonce === nonce);
  const old = replaced ? priceOf(world, replaced) : null;
  const stuck = last !== undefined && isStuck(last, counts.get(account), head);
  const resent = (): World => (last ? send(world, how, last.hash) : world);
  if (last && old && !stuck && !isTooLow(old, current.value)) return resent();
  const price = offerPrice(current, old, stuck);
  const gas = readGas(how);
  if (price === null || gas === null) return resent();
  const { value: dataFee } = judgeRollupFee(
    quotesOf(how).map((each) => each && each.fee),
    maxRollupFee,
  );
  const added = { nonce, cost: gas.value * price.value.max + dataFee };
  if (explainFillerLimit(fillerLimits, costsOf(world), added) !== null) {
    return resent();
  }
  const hash = `filler ${world.fillers.length}`;
  const signing = { nonce, price, charge: 0n, gas: gas.value, dataFee };
  const filler = transaction(world, hash, signing);
  const offered = offer(world, hash, { ...signing, isStuck: stuck });
  return send({ ...offered, fillers: [...world.fillers, filler] }, how, hash);
}

/** Returns whether nodes still have a final relay's receipts, so counts lag. */
function isLagging(world: World, how: Look, stored: StoredRelay): boolean {
  const reports = reportsOf(world, stored, how);
  const { transactions } = stored.known;
  const known = { signed: new Map(), transactions, maxRollupFee };
  const { doubts, receipts } = judgeReports(reports, known);
  return doubts.size > 0 || receipts.size > 0;
}

/** Returns what the account pays for each nonce that no tank pays for. */
export function costsOf(world: World): ReadonlyMap<number, bigint> {
  const costs = new Map<number, bigint>();
  for (const { hash, limits, nonce, signedMs } of transactionsOf(world)) {
    if (signedMs >= dayMs) continue;
    const { dataFee = 0n } = world.offers[hash] ?? {};
    const cost = limits.gas * limits.price + dataFee - limits.charge;
    if (cost <= 0n) continue;
    const before = costs.get(nonce) ?? 0n;
    costs.set(nonce, before > cost ? before : cost);
  }
  return costs;
}

function quotesOf({ lies: answers, quote }: Look) {
  return answers.map((lie, index) => {
    const shown = quotes.get(index === 0 ? quote : truth);
    return isSilent(lie) ? null : (shown ?? null);
  });
}

function readMarket(how: Look): Evidence<Market> | null {
  return judgeMarket(quotesOf(how), limit);
}

function readGas(how: Look): Evidence<bigint> | null {
  return judgeGas(quotesOf(how).map((each) => each && each.gas));
}

interface Signing {
  readonly nonce: number;
  readonly price: Evidence<Price>;
  readonly charge: bigint;
  readonly dataFee: bigint;
  readonly isStuck?: boolean;
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
  const after = put(offer(world, hash, signing), how, { ...stored, known });
  return send(after, how, hash);
}

/** Stores what a transaction offers. */
function offer(
  world: World,
  hash: string,
  { dataFee, isStuck = false, price }: Signing,
): World {
  const { fields } = price.value;
  const tip =
    fields.type === "legacy" ? fields.gasPrice : fields.maxPriorityFeePerGas;
  const offered = { tip, dataFee, isStuck };
  return { ...world, offers: { ...world.offers, [hash]: offered } };
}

function priceOf(
  { offers }: World,
  { hash, limits }: Pick<KnownTransaction, "hash" | "limits">,
): Price {
  const { tip = 0n } = offers[hash] ?? {};
  return tip === limits.price ? legacy(tip) : dynamic(limits.price, tip);
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
  if (!isReceived || world.sent.includes(hash)) return world;
  return { ...world, sent: [...world.sent, hash].sort() };
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
