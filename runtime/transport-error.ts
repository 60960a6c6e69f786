import { BareError, type RpcErrorOptions } from "./bare-error.js";
import { isRpcError, RpcError } from "./errors.js";

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
  declare readonly reason: TransportReason;

  constructor(reason: TransportReason, options?: TransportErrorOptions) {
    super(createTransportError(reason, null, options?.status), options);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isRpcError(value) && "reason" in value;
  }
}

/** The same as `new TransportError`, without its class. */
export function createTransportError(
  reason: TransportReason,
  cause: unknown,
  status = 400,
): BareError<TransportErrorName> {
  const rows = {
    network: ["WebrpcRequestFailed", -1],
    aborted: ["WebrpcClientDisconnected", -8],
    timeout: ["WebrpcRequestFailed", -1],
    "bad-response": ["WebrpcBadResponse", -5],
  } as const;
  const [name, code] = rows[reason];
  const message = `request failed: ${reason}`;
  const definition = { name, code, message, status, reason };
  return new BareError(definition, { cause });
}
