import { RpcError, type RpcErrorOptions } from "./errors.js";

/** Why there is no answer that could be read. */
export type TransportReason =
  "network" | "aborted" | "timeout" | "bad-response";

type TransportErrorName =
  "WebrpcRequestFailed" | "WebrpcClientDisconnected" | "WebrpcBadResponse";

/** What may be said about one occurrence. */
export interface TransportErrorOptions extends RpcErrorOptions {
  /** HTTP status of the answer, for `bad-response`. */
  readonly status?: number;
}

/**
 * A call without an outcome: raised by the client itself, never sent.
 *
 * - `network`: no connection, or it broke. `cause`: what `fetch` threw.
 * - `aborted`: by a signal of the caller. `cause`: the reason of that signal.
 * - `timeout`: `timeoutMs` went by.
 * - `bad-response`: an answer that is not of this protocol. `status`: its HTTP
 *   status. `cause`: the beginning of its body.
 */
export class TransportError extends RpcError<TransportErrorName> {
  readonly reason: TransportReason;

  constructor(reason: TransportReason, options?: TransportErrorOptions) {
    const status = options?.status ?? 400;
    super({ ...definitionOf(reason), status }, options);
    this.reason = reason;
  }
}

function definitionOf(reason: TransportReason) {
  switch (reason) {
    case "aborted":
      return {
        name: "WebrpcClientDisconnected",
        code: -8,
        message: "client disconnected",
      } as const;
    case "bad-response":
      return {
        name: "WebrpcBadResponse",
        code: -5,
        message: "bad response",
      } as const;
    case "network":
    case "timeout":
      return {
        name: "WebrpcRequestFailed",
        code: -1,
        message: "request failed",
      } as const;
  }
}
