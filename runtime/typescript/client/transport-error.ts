import { BareError, type RpcErrorOptions } from "../wire/bare-error.js";
import { isRpcError, RpcError } from "../wire/errors.js";

/** Why a call has no valid response. */
export type TransportReason = CallReason | "stream-lost";

/** Why a call other than a stream has no valid response. */
export type CallReason = "network" | "aborted" | "timeout" | "bad-response";

type TransportErrorName =
  | "WebrpcRequestFailed"
  | "WebrpcClientDisconnected"
  | "WebrpcBadResponse"
  | "WebrpcStreamLost";

/** The name and code of a built-in error. */
type ErrorRow =
  | readonly ["WebrpcRequestFailed", -1]
  | readonly ["WebrpcClientDisconnected", -8]
  | readonly ["WebrpcBadResponse", -5];

/** Properties of a {@link TransportError}. */
export interface TransportErrorOptions extends RpcErrorOptions {
  /** HTTP status of a `bad-response`. */
  readonly status?: number;
}

/**
 * The name of an error that this version of the contract does not know. No error
 * should have this name, because a `switch` would not narrow it.
 */
declare enum UnknownName {
  text = "\0unknown",
}

/**
 * An error that this version of the contract does not know, such as that of a
 * newer server or of a gateway. Its name can be any text.
 */
export type UnknownError = RpcError<UnknownName>;

/**
 * An error of a call: one that the contract declares, one that the client creates,
 * or an unknown one.
 */
export type CallError<Failure> = Failure | TransportError | UnknownError;

/**
 * An error that the client creates because a call has no valid response. Its
 * `status` is 0 unless stated otherwise.
 *
 * - `network`: the connection failed. `cause` is the error from `fetch`.
 * - `aborted`: one of the caller's signals aborted. `cause` is the signal's
 *   reason.
 * - `timeout`: `timeoutMs` elapsed.
 * - `bad-response`: the response violates the protocol. `status` is its HTTP
 *   status, and `cause` is the beginning of its body or a description of the
 *   problem. It is `hidden` if messages of the method can contain sensitive
 *   fields.
 * - `stream-lost`: a stream broke off, or the server sent nothing for too long.
 *   `status` is 400, and `cause` is the reason, if known.
 */
export class TransportError extends RpcError<TransportErrorName> {
  readonly reason: TransportReason;

  constructor(reason: TransportReason, options?: TransportErrorOptions) {
    const row =
      reason === "stream-lost"
        ? createStreamLost()
        : createTransportError(reason, undefined, options?.status);
    super(row, options);
    this.reason = reason;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return isRpcError(value) && "reason" in value;
  }
}

/** Returns the equivalent of `new TransportError` without using the class. */
export function createTransportError(
  reason: CallReason,
  options?: ErrorOptions,
  status?: number,
): BareError<TransportErrorName> {
  return createTransportErrorAs(reason, options, ...rows[reason], status);
}

const rows: Readonly<Record<CallReason, readonly [ErrorRow[0], ErrorRow[1]]>> =
  {
    network: ["WebrpcRequestFailed", -1],
    aborted: ["WebrpcClientDisconnected", -8],
    timeout: ["WebrpcRequestFailed", -1],
    "bad-response": ["WebrpcBadResponse", -5],
  };

/**
 * Creates an error from a given name and code. Callers that use this function
 * instead of `createTransportError` do not add the table of all rows to a
 * bundle.
 */
export function createTransportErrorAs(
  reason: CallReason,
  options?: ErrorOptions,
  name: ErrorRow[0] = "WebrpcRequestFailed",
  code: ErrorRow[1] = -1,
  status = 0,
): BareError<TransportErrorName> {
  // The reason is enough as the message, because the name says the rest.
  return new BareError({ name, msg: reason, code, status, reason }, options);
}

/**
 * Creates the error for a lost stream. It has its own function because bundles
 * without streams do not need it.
 */
export function createStreamLost(
  options?: ErrorOptions,
): BareError<TransportErrorName> {
  return new BareError(
    {
      name: "WebrpcStreamLost",
      code: -9,
      msg: "stream lost",
      status: 400,
      reason: "stream-lost",
    },
    options,
  );
}
