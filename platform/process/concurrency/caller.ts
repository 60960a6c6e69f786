import { AsyncLocalStorage } from "node:async_hooks";

const running = new AsyncLocalStorage<string>();

/** Runs the work of a call for its caller. */
export function asCaller<Result>(caller: string, work: () => Result): Result {
  return running.run(caller, work);
}

/** The name of a project's calls. */
export function callerOfProject(projectId: number): string {
  return `project ${projectId}`;
}

/**
 * Runs work that calls of several callers share. It takes turns with the callers
 * as if it were another one. The platform's own work stays its own.
 */
export function asShared<Result>(work: () => Result): Result {
  return currentCaller() === null ? work() : running.run("shared", work);
}

/** Returns who made the running call, or null for the platform's own work. */
export function currentCaller(): string | null {
  return running.getStore() ?? null;
}
