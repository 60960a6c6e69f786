import { AsyncLocalStorage } from "node:async_hooks";

/** A call that is running, and who made it. */
export interface RunningCall {
  readonly caller: string;
  /** The number of database connections that it uses. */
  connections: number;
}

const running = new AsyncLocalStorage<RunningCall>();

/** Runs the work of a call for its caller. */
export function asCaller<Result>(caller: string, work: () => Result): Result {
  return running.run({ caller, connections: 0 }, work);
}

/** Runs work that others may wait for, too, so it belongs to no caller. */
export function asNobody<Result>(work: () => Result): Result {
  return running.exit(work);
}

/** Returns the running call, or null for the platform's own work. */
export function runningCall(): RunningCall | null {
  return running.getStore() ?? null;
}
