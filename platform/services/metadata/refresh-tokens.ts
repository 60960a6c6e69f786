import { unitsOf } from "../../database/storage-units.js";
import { createPace } from "../../process/concurrency/pace.js";
import { pause } from "../../process/lifecycle/pause.js";
import {
  findContract,
  type ReadingParts,
  refreshContract,
} from "./contract-cache.js";
import { readToken } from "./read-token.js";
import type { ContractPlace } from "./reading.js";
import { findRefreshTokens, finishRefreshTokens } from "./refresh-store.js";
import { drawReadNumber, saveTokens } from "./token-store.js";

/** The number of tokens that are read and stored together. */
const tokensAtOnce = 10;

/**
 * The number of tokens that an instance reads in a second for all tasks. Without
 * this limit, one project whose documents arrive at once would keep an instance
 * busy.
 */
const tokensPerSecond = 100;
const pace = createPace(tokensPerSecond);

/**
 * How long a task rests for each unit that it stored, beyond one per document. Other
 * tasks do not wait for it.
 */
const unitMs = 10;

/** How far a task has come. */
export interface RefreshProgress {
  /** The last token that it has tried to read, or "" at the start. */
  readonly after: string;
  /** Why some tokens remain, or null if none of those before do. */
  readonly problem: string | null;
  /**
   * The last stored token that was added to a task for all of them, or null if
   * there are no more to add.
   */
  readonly rest: string | null;
}

/** The progress of a task that has read nothing. */
export const noProgress: RefreshProgress = {
  ...{ after: "", problem: null, rest: null },
};

/** A result that has tried all tokens of the task, or else must be continued. */
export interface RefreshResult extends RefreshProgress {
  readonly isOver: boolean;
}

/** How long a task reads tokens before it is the turn of others. */
const turnMs = 1000;

/**
 * Refreshes the remaining tokens of a task, and first their contract. Stops
 * after some time. If a token's document is unreachable, the token keeps its
 * stored data and stays in the task.
 *
 * Input: how to wait.
 * Errors: `Unavailable`, or the signal's reason.
 */
export async function refreshTokens(
  parts: ReadingParts,
  place: ContractPlace,
  id: number,
  before: RefreshProgress,
  signal: AbortSignal,
  wait = pause,
): Promise<RefreshResult> {
  const { database, noteStored, source } = parts;
  const end = performance.now() + turnMs;
  const { value: contract, bytes } =
    before.after === ""
      ? await refreshContract(parts, place)
      : await findContract(parts, place);
  const rest = async (stored: number, documents: number): Promise<void> => {
    const units = unitsOf(stored) - documents;
    if (units > 0) await wait(units * unitMs, signal);
  };
  await rest(bytes, 1);
  const progress = { ...before };
  do {
    signal.throwIfAborted();
    const from = progress.after;
    const ids = await findRefreshTokens(database, id, from, tokensAtOnce);
    const last = ids.at(-1);
    if (last === undefined) return { ...progress, isOver: true };
    progress.after = last;
    await pace(ids.length, signal);
    const number = await drawReadNumber(database);
    const readings = await Promise.all(
      ids.map((tokenId) => readToken(source, place, contract, tokenId)),
    );
    const done = readings.filter(({ outcome }) => outcome !== "unreachable");
    const doneIds = done.map(({ value }) => value.tokenId);
    // Save tokens and mark them as read in the same transaction.
    const stored = await database.transaction().execute(async (transaction) => {
      const size = await saveTokens(transaction, place, number, done);
      await finishRefreshTokens(transaction, id, doneIds);
      return size;
    });
    await noteStored(stored);
    const left = readings.find(({ outcome }) => outcome === "unreachable");
    if (left !== undefined) {
      progress.problem ??= `token ${left.value.tokenId}: ${left.reason}`;
    }
    await rest(stored, ids.length);
  } while (performance.now() < end);
  return { ...progress, isOver: false };
}
