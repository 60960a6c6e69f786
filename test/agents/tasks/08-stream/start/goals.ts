import { once, EventEmitter } from "node:events";

export interface Goal {
  readonly number: number;
  readonly player: string;
}

const goals: Goal[] = [];
export const scored = new EventEmitter();

export function listGoals(): readonly Goal[] {
  return goals;
}

export function score(player: string): void {
  goals.push({ number: goals.length + 1, player });
  scored.emit("goal");
}

/** Resolves with the goal of this number, or null when the signal aborts. */
export async function waitForGoal(
  number: number,
  signal: AbortSignal,
): Promise<Goal | null> {
  while (goals.length < number) {
    if (signal.aborted) return null;
    await once(scored, "goal", { signal }).catch(() => null);
  }
  return goals[number - 1] ?? null;
}
