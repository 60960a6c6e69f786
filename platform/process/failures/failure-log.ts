import type { Logger } from "pino";

import { factsOf } from "./error-facts.js";

/** Logs a failure that can repeat every second for hours. */
export interface FailureLog {
  /** Logs an error unless the last attempt failed for the same reason. */
  note(error: unknown): void;
  /** Records a success, after which the next failure is logged. */
  clear(): void;
}

/** Creates the log of one kind of failure. `facts` are added to each line. */
export function createFailureLog(
  log: Logger,
  message: string,
  facts: object = {},
): FailureLog {
  let last: string | null = null;
  return {
    note: (error) => {
      const found = factsOf(error);
      if (found.reason !== last) log.warn({ ...facts, ...found }, message);
      last = found.reason;
    },
    clear: () => {
      last = null;
    },
  };
}
