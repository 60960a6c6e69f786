import type { Platform } from "../../parts/platform.js";
import { refreshContract } from "./contract-cache.js";
import { readToken } from "./read-token.js";
import type { ContractPlace } from "./reading.js";
import { findRefreshTokens, finishRefreshTokens } from "./refresh-store.js";
import { drawReadNumber, saveTokens } from "./token-store.js";

/** The number of tokens that are read and stored together. */
const tokensAtOnce = 25;

/**
 * Refreshes the remaining tokens of a task, and their contract. If a token's
 * document is unreachable, the token keeps its stored data and stays in the
 * task.
 *
 * Returns the reason why some tokens remain, or null if none do.
 * Errors: `Unavailable`, or the signal's reason.
 */
export async function refreshTokens(
  platform: Pick<Platform, "database" | "outbound" | "settings">,
  place: ContractPlace,
  id: number,
  signal: AbortSignal,
): Promise<string | null> {
  const { database, outbound, settings } = platform;
  const source = { outbound, ipfsGateway: settings.ipfsGateway };
  const contract = await refreshContract(database, source, place);
  let problem: string | null = null;
  let last = "";
  for (;;) {
    signal.throwIfAborted();
    const ids = await findRefreshTokens(database, id, last, tokensAtOnce);
    if (ids.length === 0) return problem;
    last = ids.at(-1) ?? last;
    const number = await drawReadNumber(database);
    const readings = await Promise.all(
      ids.map((tokenId) => readToken(source, place, contract, tokenId)),
    );
    const done = readings.filter(({ outcome }) => outcome !== "unreachable");
    const doneIds = done.map(({ value }) => value.tokenId);
    // Save tokens and mark them as read in the same transaction.
    await database.transaction().execute(async (transaction) => {
      await saveTokens(transaction, place, number, done);
      await finishRefreshTokens(transaction, id, doneIds);
    });
    const left = readings.find(({ outcome }) => outcome === "unreachable");
    if (left !== undefined) {
      problem ??= `token ${left.value.tokenId}: ${left.reason}`;
    }
  }
}
