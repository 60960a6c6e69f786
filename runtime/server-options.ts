import type { CorsOptions } from "./cors.js";
import type { RequestFacts } from "./context.js";
import type { ServerRequest } from "./exchange.js";
import type { Failure } from "./validation.js";

/** Settings that every generated server takes besides its handlers. */
export interface ServerOptions<State = undefined> {
  /**
   * Makes the state of a request before its credentials are checked; verifiers
   * and the handler find it as `context.state`. Needed by all who choose a
   * `State`.
   */
  readonly createState?: (facts: RequestFacts) => State | Promise<State>;
  /**
   * Hears of every failure that is the server's: unexpected exceptions, errors
   * with a status of 500 and above, responses that do not fit the contract.
   * Nothing of it is on the wire. Without it they pass unseen.
   */
  readonly onError?: (error: unknown, info: ErrorInfo) => void;
  /** Longest request body in bytes; 1 MiB unless given. */
  readonly maxBodyBytes?: number;
  /**
   * What happens to a response that does not fit the contract: `throw` answers
   * 500 `WebrpcBadResponse`, `log` only tells `onError`, `off` does not look.
   * `throw` unless given.
   */
  readonly validateResponses?: ResponseValidation;
  /** Lets web pages of other origins call the server; none unless given. */
  readonly cors?: CorsOptions;
}

/** What happens to a response that does not fit the contract. */
export type ResponseValidation = "throw" | "log" | "off";

/** Where a failure happened. */
export interface ErrorInfo {
  /** Service as in RIDL. */
  readonly service: string;
  /** Method as in RIDL. */
  readonly method: string;
  readonly request: ServerRequest;
  /** What did not fit in a response; empty for other failures. */
  readonly failures: readonly Failure[];
}
