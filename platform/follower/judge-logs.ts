import type { Hash } from "viem";

import {
  agreedBy,
  majorityOf,
  present,
} from "../network/agreement/majority.js";
import { giveWay } from "../process/concurrency/give-way.js";
import type { BlockLog, UnconfirmedLogs } from "./block.js";

/** The logs of a block that a node reports. */
export interface ReportedLogs {
  /** By a key that differs if any part of a log does. */
  readonly logs: ReadonlyMap<string, BlockLog>;
  /** Equal for all nodes that report the same logs. */
  readonly key: string;
}

/** What is believed about the logs of a block. */
export interface JudgedLogs {
  /**
   * The logs that a majority reports, in order. Unless they are complete, it does
   * not report the same list.
   */
  readonly logs: readonly BlockLog[];
  readonly isComplete: boolean;
  /**
   * All logs according to the nodes that have them, if these nodes agree but are
   * not a majority.
   */
  readonly unconfirmed?: UnconfirmedLogs;
  /** Why the logs are not complete. */
  readonly doubt?: string;
  /** The indexes of the nodes that report other logs than most nodes. */
  readonly wrong: readonly number[];
}

/** Returns the logs of a block among those that a node reports. */
export async function toReported(
  logs: readonly (BlockLog & { readonly blockHash: Hash })[],
  hash: Hash,
): Promise<ReportedLogs> {
  const byKey = new Map<string, BlockLog>();
  for (const log of [...logs].sort(byIndex)) {
    await giveWay();
    if (log.blockHash === hash) byKey.set(keyOf(log), log);
  }
  return { logs: byKey, key: [...byKey.keys()].join("\n") };
}

/**
 * Decides about the logs of a block: those that a majority of the nodes reports,
 * apart from nodes that do not have all logs yet.
 *
 * Input: the answer of each node, or null if it does not respond, and a function
 * that returns whether logs can be all logs of the block.
 */
export async function judgeLogs(
  reported: readonly (ReportedLogs | null)[],
  isWhole: (logs: readonly BlockLog[]) => Promise<boolean>,
): Promise<JudgedLogs> {
  const isWholeByKey = new Map<string, boolean>();
  for (const { key, logs } of present(reported)) {
    if (isWholeByKey.has(key)) continue;
    isWholeByKey.set(key, await isWhole([...logs.values()]));
  }
  const whole = reported.map((each) =>
    each !== null && isWholeByKey.get(each.key) === true ? each : null,
  );
  const agreed = agreedBy(whole, ({ key }) => key);
  if (agreed !== null) {
    const wrong = whole.flatMap((each, node) =>
      each === null || each.key === agreed.key ? [] : [node],
    );
    return { logs: [...agreed.logs.values()], isComplete: true, wrong };
  }
  const logs = await logsOfMost(reported);
  const doubtful = { logs, isComplete: false, wrong: [] };
  const having = present(whole);
  if (having.length >= majorityOf(reported.length)) {
    return { ...doubtful, doubt: "the nodes report different logs" };
  }
  const doubt = "too few nodes have all logs";
  const same = agreedBy(having, ({ key }) => key);
  if (same === null) return { ...doubtful, doubt };
  const by = whole.flatMap((each, node) =>
    each?.key === same.key ? [node] : [],
  );
  const unconfirmed = { logs: [...same.logs.values()], by };
  return { ...doubtful, doubt, unconfirmed };
}

/** Returns each log that a majority of the nodes reports. */
async function logsOfMost(
  reported: readonly (ReportedLogs | null)[],
): Promise<readonly BlockLog[]> {
  const counts = new Map<string, number>();
  const found: BlockLog[] = [];
  for (const [key, log] of present(reported).flatMap(({ logs }) => [...logs])) {
    await giveWay();
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count === majorityOf(reported.length)) found.push(log);
  }
  return found.sort(byIndex);
}

function byIndex(one: BlockLog, other: BlockLog): number {
  return one.logIndex - other.logIndex;
}

function keyOf(log: BlockLog): string {
  const { address, data, logIndex, topics } = log;
  const { transactionHash, transactionIndex } = log;
  return [logIndex, transactionIndex, transactionHash, address, data, ...topics]
    .join()
    .toLowerCase();
}
