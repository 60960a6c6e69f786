import { throwIfGone } from "./caller.js";

/** How long all long work together may keep the event loop busy. */
const turnMs = 2;

/** Resumes work that gave way, the oldest first. */
const waiting: (() => void)[] = [];

/** When the work that now runs was resumed. */
let since = -Infinity;

/**
 * Lets other events be handled if long work has kept the event loop busy for some
 * time. Long work calls this between its steps. Only one piece of long work is
 * resumed at once, so that many of them do not keep the event loop busy one after
 * the other. Work whose caller has left ends: the function rejects with the reason.
 */
export async function giveWay(): Promise<void> {
  if (performance.now() - since < turnMs) return;
  await new Promise<void>((resume) => {
    waiting.push(resume);
    if (waiting.length === 1) setImmediate(resumeOldest);
  });
  throwIfGone();
}

function resumeOldest(): void {
  since = performance.now();
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(resumeOldest);
}
