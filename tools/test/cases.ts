import type * as fc from "fast-check";
import type { DrawnRequest } from "./drawn-request.js";

/** Requests that have one thing in common. */
export interface Case {
  /** A special property of the requests, e.g. "`isbn` is null", or "". */
  readonly what: string;
  readonly requests: Drawn;
}

/** Draws requests. Null stands for a message that cannot be sent. */
export type Drawn = fc.Arbitrary<DrawnRequest | null>;

/** Creates a case that changes valid requests in one way. */
export function change(
  what: string,
  valid: Drawn,
  alter: (request: DrawnRequest) => Partial<DrawnRequest>,
): Case {
  const requests = valid.map(
    (request) => request && { ...request, ...alter(request) },
  );
  return { what, requests };
}
