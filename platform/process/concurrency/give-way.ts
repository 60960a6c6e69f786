import { throwIfGone } from "./caller.js";

/** How long all long work together may keep the event loop busy. */
const [minTurnMs, maxTurnMs] = [2, 20];

/** The part of the event loop's time that long work has, if others need it. */
const share = 1 / 4;

/** Resumes work that gave way, the oldest first. */
const waiting: (() => void)[] = [];

/** The turn of the work that was resumed last, and when the next one was due. */
const turn = { since: -Infinity, ms: minTurnMs, isOver: true, waitsSince: 0 };

/**
 * Lets other events be handled if long work has kept the event loop busy for some
 * time. Long work calls this between its steps. Only one piece of long work is
 * resumed at once, so that many of them do not keep the event loop busy one after
 * the other. Its turn is longer if other events took long, so that they cannot
 * starve it. Work whose caller has left ends: the function rejects with the reason.
 */
export async function giveWay(): Promise<void> {
  const now = performance.now();
  if (now - turn.since < turn.ms) return;
  await new Promise<void>((resume) => {
    if (!turn.isOver || waiting.length === 0) turn.waitsSince = now;
    turn.isOver = true;
    waiting.push(resume);
    if (waiting.length === 1) setImmediate(resumeOldest);
  });
  throwIfGone();
}

function resumeOldest(): void {
  const now = performance.now();
  const fair = ((now - turn.waitsSince) * share) / (1 - share);
  turn.ms = Math.min(Math.max(fair, minTurnMs), maxTurnMs);
  turn.since = now;
  turn.isOver = false;
  turn.waitsSince = now;
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(resumeOldest);
}
