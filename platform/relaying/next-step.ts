import {
  type BlockView,
  isRemoved,
  judgeDepth,
  type NodeView,
} from "./evidence/blocks.js";
import {
  type Evidence,
  judgeStatus,
  type Report,
} from "./evidence/evidence.js";
import type {
  MinedTransaction,
  Receipt,
  SignedTransaction,
  RelayStatus,
} from "./evidence/reports.js";

/**
 * A relay is final after this many blocks, but not before `minFinalMs`, because
 * some networks have several blocks per second and a node can report any block
 * number. After `finalMs`, fewer blocks are enough.
 */
export const finalBlocks = 512;
export const minFinalMs = 15 * 60 * 1000;
const finalMs = 24 * 60 * 60 * 1000;

/**
 * How long and for how many blocks the account's next transaction can stay
 * unmined before its price is raised although nodes report that it is enough.
 */
const stuckMs = 60_000;
const stuckBlocks = 3;

/**
 * How long a nonce must have been used without a receipt before another
 * program's transaction is accepted as the explanation.
 */
export const lostMs = 10 * 60 * 1000;

/**
 * How long a node can lack the block of a transaction before the block is
 * treated as removed. Followers wait just as long.
 */
const lagMs = 15_000;

/** A stored transaction. */
export interface KnownTransaction extends SignedTransaction {
  /** Whether it has no effect other than using its nonce. */
  readonly isCancel: boolean;
  /** The last block when it was signed, or null if it is not known. */
  readonly signedAt: number | null;
  /** The time since it was signed. */
  readonly signedMs: number;
}

/** A stored relay that is not final. */
export interface KnownRelay extends RelayStatus {
  /** Oldest first. */
  readonly transactions: readonly KnownTransaction[];
  /** The time since it was settled, or null if it was not. */
  readonly settledMs: number | null;
  /**
   * The time since a nonce was first found to be used without a receipt, or
   * null if all used nonces have receipts.
   */
  readonly unexplainedMs: number | null;
}

/**
 * Whether the deadline of a call has passed, or is in doubt, because the chain's
 * clock and the database's disagree.
 */
export type Lateness = "early" | "doubtful" | "late";

/**
 * What nodes have reported about a relay. A field is absent if the question was
 * not asked yet. Each question may have been answered by a different node.
 */
export interface Findings {
  readonly lateness: Lateness;
  readonly report?: Report;
  /** The transactions that used the nonces in question, by `nonceKey`. */
  readonly users?: ReadonlyMap<string, MinedTransaction>;
  /**
   * What each node reports about the block that was booked last, or null for a
   * node that does not respond.
   */
  readonly bookedBlock?: readonly (BlockView | null)[];
  /** One view for each node, or null for a node that does not respond. */
  readonly views?: readonly (NodeView | null)[];
}

/** The next step in the life of a relay. */
export type Step =
  | { readonly kind: "ask"; readonly question: "report" }
  | { readonly kind: "ask"; readonly question: "bookedBlock" }
  | {
      readonly kind: "ask";
      readonly question: "users";
      readonly about: readonly KnownTransaction[];
    }
  | {
      readonly kind: "ask";
      readonly question: "views";
      readonly blockNumbers: readonly number[];
    }
  /** Store since when a used nonce is unexplained, or that all are explained. */
  | { readonly kind: "note"; readonly isUnexplained: boolean }
  /** Store the status, and charge or refund the tank. */
  | {
      readonly kind: "book";
      readonly status: Evidence<RelayStatus>;
      readonly receipts: ReadonlyMap<string, Evidence<Receipt>>;
    }
  /** Sign the call with a new nonce. */
  | {
      readonly kind: "sign";
      readonly count: Evidence<number>;
      readonly head: Evidence<number>;
    }
  /** Send transactions again, or replace them unless reports are in doubt. */
  | {
      readonly kind: "push";
      readonly live: readonly KnownTransaction[];
      readonly isCanceled: boolean;
      readonly report: Report;
      readonly doubt: string | null;
    }
  | { readonly kind: "finish" }
  | { readonly kind: "wait"; readonly reason: string };

/** The reasons for which most relays wait for a while. */
export const usual = {
  changedElsewhere: "another instance has changed it",
  sentElsewhere: "another instance has sent it",
  noReceipt: "it has no receipt yet",
  receiptMissing: "a receipt is missing",
  clocksDisagree: "the deadline has passed on one of two clocks",
  nodesSilent: "most nodes do not respond",
  canBeUndone: "a reorganization can still undo it",
} as const;

/**
 * Decides the next step of a relay. The states are those in `relaying.md`:
 * accepted, sent, unexplained, settled and final.
 *
 * Input: the relay as it is stored; what nodes have reported since; and the
 * account that signs new transactions.
 */
export function nextStep(
  relay: KnownRelay,
  findings: Findings,
  account: string,
): Step {
  const { report } = findings;
  if (report === undefined) return { kind: "ask", question: "report" };
  const step = decide(relay, findings, report, account);
  const isFirst = step.kind === "sign" && relay.transactions.length === 0;
  const isBound = isFirst || ["ask", "push", "wait"].includes(step.kind);
  return isBound || report.isConfirmed ? step : wait(usual.nodesSilent);
}

function decide(
  relay: KnownRelay,
  findings: Findings,
  report: Report,
  account: string,
): Step {
  const { bookedBlock, lateness } = findings;
  const { counts, doubts, head, receipts } = report;
  const missing = relay.transactions.filter(
    (each) => !relay.transactions.some((other) => isMined(other, each)),
  );
  const open = missing.filter(
    (each, index) =>
      !missing.slice(index + 1).some((later) => hasSameNonce(each, later)),
  );
  const doubt = firstDoubt(
    [
      ...relay.transactions.map(({ hash }) => hash),
      ...open.map((each) => each.account),
    ],
    report,
  );
  if (doubt !== null) return sendDoubtful(relay, open, findings, report, doubt);
  const live = open.filter(
    (each) => (counts.get(each.account)?.value ?? 0) <= each.nonce,
  );
  const used = open.filter((each) => !live.includes(each));
  const unexplained = explain(relay, findings, used);
  if (unexplained !== null) return unexplained;
  if (relay.blockNumber !== null && missing.length > 0) {
    if (bookedBlock === undefined) {
      return { kind: "ask", question: "bookedBlock" };
    }
    const { blockNumber } = relay;
    const hashes = missing.map(({ hash }) => hash);
    const isLong = (relay.settledMs ?? Infinity) >= lagMs;
    if (!isRemoved(bookedBlock, { blockNumber, hashes, isLong })) {
      return wait(usual.receiptMissing);
    }
  }
  const isLate = lateness === "late";
  const isExpired = live.length === 0 && isLate;
  const status = judgeStatus(relay.transactions, receipts, isExpired);
  if (!isSameStatus(relay, status.value)) {
    return { kind: "book", status, receipts };
  }
  const isPending = status.value.state === "pending";
  if (live.length > 0) {
    const isCanceled = isLate || !isPending;
    return { kind: "push", live, isCanceled, report, doubt };
  }
  if (isPending) {
    const count = counts.get(account);
    if (count === undefined) {
      return wait(doubts.get(account) ?? "there is no relaying account");
    }
    return lateness === "early"
      ? { kind: "sign", count, head }
      : wait(usual.clocksDisagree);
  }
  const mined = [...receipts.values()];
  return conclude(relay, findings, head, [
    ...mined.map(({ value }) => value),
    ...used.flatMap((each) => findings.users?.get(nonceKey(each)) ?? []),
  ]);

  function isMined(other: KnownTransaction, each: KnownTransaction): boolean {
    return hasSameNonce(each, other) && receipts.has(other.hash);
  }
}

/**
 * Handles nonces that were used although none of the relay's transactions has a
 * receipt. Usually a node lags behind. The only other explanation is another
 * program's transaction, and only if a node shows it.
 *
 * Returns null if there is nothing left to explain.
 */
function explain(
  { transactions, unexplainedMs }: KnownRelay,
  { users }: Findings,
  used: readonly KnownTransaction[],
): Step | null {
  const isUnexplained = used.length > 0;
  if (isUnexplained !== (unexplainedMs !== null)) {
    return { kind: "note", isUnexplained };
  }
  if (unexplainedMs === null) return null;
  if (unexplainedMs < lostMs) return wait(usual.receiptMissing);
  if (users === undefined) {
    return { kind: "ask", question: "users", about: used };
  }
  const isTaken = (each: KnownTransaction): boolean => {
    const user = users.get(nonceKey(each));
    return (
      user !== undefined && !transactions.some(({ hash }) => hash === user.hash)
    );
  };
  const open = used.find((each) => !isTaken(each));
  return open === undefined
    ? null
    : wait(
        `the nonce ${open.nonce} of ${open.account} has been used, but no node has the receipt`,
      );
}

/** Marks a relay as final once it can no longer be undone. */
function conclude(
  { settledMs }: KnownRelay,
  { views }: Findings,
  { value: head }: Evidence<number>,
  mined: readonly MinedTransaction[],
): Step {
  // It never had a transaction.
  if (mined.length === 0) return { kind: "finish" };
  const blockNumbers = [...new Set(mined.map((each) => each.blockNumber))];
  const isOld = settledMs !== null && settledMs >= finalMs;
  const isDeep = head - Math.max(...blockNumbers) >= finalBlocks;
  const isSoon = !isDeep || (settledMs ?? 0) < minFinalMs;
  if (isSoon && !isOld) return wait(usual.canBeUndone);
  if (views === undefined)
    return { kind: "ask", question: "views", blockNumbers };
  switch (judgeDepth(views, mined, finalBlocks)) {
    case "contradicted":
      return wait("nodes disagree about its block");
    case "unknown":
      return wait("too few nodes have its block");
    case "shallow":
      return isOld ? { kind: "finish" } : wait(usual.canBeUndone);
    case "deep":
      return { kind: "finish" };
  }
}

/**
 * Sends transactions again while reports are in doubt, because nodes may have
 * dropped them. Leaves out calls that are late or that have a second nonce, with
 * which they may have been made.
 */
function sendDoubtful(
  { transactions }: KnownRelay,
  open: readonly KnownTransaction[],
  { lateness }: Findings,
  report: Report,
  doubt: string,
): Step {
  const calls = transactions.filter(({ isCancel }) => !isCancel);
  const live = open.filter(
    (each) =>
      each.isCancel ||
      (lateness === "early" &&
        calls.every((other) => hasSameNonce(each, other))),
  );
  return live.length === 0
    ? wait(doubt)
    : { kind: "push", live, isCanceled: false, report, doubt };
}

/** Returns the first doubt about accounts or transactions, or null. */
function firstDoubt(
  keys: readonly string[],
  { doubts }: Report,
): string | null {
  return keys.flatMap((key) => doubts.get(key) ?? [])[0] ?? null;
}

function wait(reason: string): Step {
  return { kind: "wait", reason };
}

function isSameStatus(one: RelayStatus, other: RelayStatus): boolean {
  return (
    one.state === other.state &&
    one.hash === other.hash &&
    one.blockNumber === other.blockNumber &&
    one.cost === other.cost
  );
}

/**
 * Returns whether a stored relay is still as it was read. If it is not, another
 * instance has changed it, and a decision based on it is void.
 */
export function isUnchanged(before: KnownRelay, now: KnownRelay): boolean {
  return (
    isSameStatus(before, now) &&
    before.transactions.length === now.transactions.length &&
    (before.unexplainedMs === null) === (now.unexplainedMs === null)
  );
}

/**
 * Decides how to send a live transaction again: unchanged, as the call with a
 * new price, or as a cancellation.
 */
export function chooseReplacement(options: {
  readonly isCancel: boolean;
  readonly isCanceled: boolean;
  readonly isTooLow: boolean;
}): "unchanged" | "call" | "cancel" {
  const { isCancel, isCanceled, isTooLow } = options;
  const becomesCancel = isCancel || isCanceled;
  if (!isTooLow && becomesCancel === isCancel) return "unchanged";
  return becomesCancel ? "cancel" : "call";
}

/**
 * Decides whether the deadline of a call has passed. Neither the chain's clock
 * nor the database's alone ends a call, and the clocks of instances do not
 * matter. Only the embedded chain can be far behind, because it mines no blocks
 * without transactions, and its clock can be set.
 *
 * Input: the deadline and the chain's time, in seconds, and whether the deadline
 * has passed by the clock of the database.
 */
export function judgeLateness(call: {
  readonly deadline: bigint;
  readonly time: Evidence<bigint>;
  readonly isPast: boolean;
  readonly isEmbedded: boolean;
}): Lateness {
  const isLate = call.deadline <= call.time.value;
  if (isLate === call.isPast) return isLate ? "late" : "early";
  return call.isEmbedded ? "late" : "doubtful";
}

/**
 * Returns whether an account's next transaction stays unmined although nodes
 * report that its price is sufficient. The database's clock decides as well,
 * because a node can report any block number.
 */
export function isStuck(
  {
    nonce,
    signedAt,
    signedMs,
  }: Pick<KnownTransaction, "nonce" | "signedAt" | "signedMs">,
  count: Evidence<number> | undefined,
  head: Evidence<number>,
): boolean {
  return (
    count?.value === nonce &&
    signedMs >= stuckMs &&
    signedAt !== null &&
    head.value >= signedAt + stuckBlocks
  );
}

/** Identifies a nonce of an account. */
export function nonceKey({
  account,
  nonce,
}: Pick<KnownTransaction, "account" | "nonce">): string {
  return `${account} ${nonce}`;
}

function hasSameNonce(one: KnownTransaction, other: KnownTransaction): boolean {
  return one.account === other.account && one.nonce === other.nonce;
}
