/** One call by a generated client and its required outcome. */
export interface ClientCase {
  readonly name: string;
  /** Names in the client, such as `echo` and `uint8`. */
  readonly service: string;
  readonly method: string;
  readonly request?: unknown;
  readonly outcome: Outcome;
  /** What the handler must receive. If absent, this is not checked. */
  readonly seen?: unknown;
  readonly int64?: "number" | "bigint";
  readonly timestamp?: "string" | "date";
}

/** A value, or the properties of an error. */
export type Outcome =
  { readonly value: unknown } | { readonly error: SeenError };

/** The properties of an error. Absent ones are not checked. */
export interface SeenError {
  readonly name: string;
  readonly code: number;
  readonly status?: number;
  readonly message?: string;
  readonly cause?: unknown;
  readonly reason?: string;
}

/** A response that no generated server sends. */
export interface CannedCase {
  readonly name: string;
  readonly method: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly outcome: Outcome;
}

/** Returns the outcome of a response that violates the protocol. */
export function badResponse(status: number, cause?: string): Outcome {
  return {
    error: {
      name: "WebrpcBadResponse",
      code: -5,
      status,
      reason: "bad-response",
      ...(cause !== undefined && { cause }),
    },
  };
}
