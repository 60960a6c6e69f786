import { memberOf } from "../values/member.js";
import { BareError, type ErrorDefinition } from "../wire/bare-error.js";
import { builtInErrors, isRpcError } from "../wire/errors.js";

/** Properties of an error. The class supplies those that are missing. */
export interface WebrpcErrorParams {
  readonly name?: string | undefined;
  readonly code?: number | undefined;
  readonly message?: string | undefined;
  readonly status?: number | undefined;
  readonly cause?: unknown;
}

/** The class of an error, e.g. `UnauthorizedError`. */
export interface WebrpcErrorClass {
  new (error?: WebrpcErrorParams): WebrpcError;
  new (error: WebrpcErrorParams): WebrpcError;
}

/** Error classes by code. */
export interface WebrpcErrorClasses {
  readonly [code: number]: WebrpcErrorClass;
}

const endpoint: ErrorDefinition = {
  ...builtInErrors.WebrpcEndpoint,
  name: "WebrpcEndpointError",
};

/**
 * The base class of all errors in webrpc-style clients. `instanceof` compares
 * classes. `isRpcError` and the classes in `errors.ts` recognize these errors
 * as well.
 */
export class WebrpcError extends BareError {
  constructor(
    error: WebrpcErrorParams = {},
    definition: ErrorDefinition = endpoint,
  ) {
    const { name, code, message, status, cause } = error;
    super(
      {
        name: name || definition.name,
        code: code ?? definition.code,
        msg: message || definition.message,
        status: status ?? definition.status,
      },
      cause === undefined ? cause : { cause },
    );
  }

  /** Creates an error, like the constructor. */
  static new<Failure extends WebrpcError>(
    this: new (error: WebrpcErrorParams) => Failure,
    error: WebrpcErrorParams,
  ): Failure {
    return new this(error);
  }
}

/** An unspecified error. Code 0, HTTP 400. */
export class WebrpcEndpointError extends WebrpcError {
  constructor(error: WebrpcErrorParams = {}) {
    super(error, builtInErrors.WebrpcEndpoint);
  }
}

/**
 * The request did not reach the server, the server was too busy, there was no
 * response in time, or the call was aborted. Code -1, HTTP 400.
 */
export class WebrpcRequestFailedError extends WebrpcError {
  constructor(error: WebrpcErrorParams = {}) {
    super(error, builtInErrors.WebrpcRequestFailed);
  }
}

/** There is no method at this path. Code -2, HTTP 404. */
export class WebrpcBadRouteError extends WebrpcError {
  constructor(error: WebrpcErrorParams = {}) {
    super(error, builtInErrors.WebrpcBadRoute);
  }
}

/** The method requires a different HTTP method. Code -3, HTTP 405. */
export class WebrpcBadMethodError extends WebrpcError {
  constructor(error: WebrpcErrorParams = {}) {
    super(error, builtInErrors.WebrpcBadMethod);
  }
}

/** The request is invalid. Code -4, HTTP 400. */
export class WebrpcBadRequestError extends WebrpcError {
  constructor(error: WebrpcErrorParams = {}) {
    super(error, builtInErrors.WebrpcBadRequest);
  }
}

/** The response is invalid. Code -5, HTTP 500. */
export class WebrpcBadResponseError extends WebrpcError {
  constructor(error: WebrpcErrorParams = {}) {
    super(error, builtInErrors.WebrpcBadResponse);
  }
}

/** The server failed while it handled the request. Code -6, HTTP 500. */
export class WebrpcServerPanicError extends WebrpcError {
  constructor(error: WebrpcErrorParams = {}) {
    super(error, builtInErrors.WebrpcServerPanic);
  }
}

/** The server had an unexpected error. Code -7, HTTP 500. */
export class WebrpcInternalErrorError extends WebrpcError {
  constructor(error: WebrpcErrorParams = {}) {
    super(error, builtInErrors.WebrpcInternalError);
  }
}

const clientAborted: ErrorDefinition = {
  name: "WebrpcClientAborted",
  code: -8,
  message: "request aborted by client",
  status: 400,
};

/**
 * The client disconnected before it received the response. Code -8, HTTP 400.
 */
export class WebrpcClientAbortedError extends WebrpcError {
  constructor(error: WebrpcErrorParams = {}) {
    super(error, clientAborted);
  }
}

/** A stream ended early. Code -9, HTTP 400. */
export class WebrpcStreamLostError extends WebrpcError {
  constructor(error: WebrpcErrorParams = {}) {
    super(error, builtInErrors.WebrpcStreamLost);
  }
}

const streamFinished: ErrorDefinition = {
  name: "WebrpcStreamFinished",
  code: -10,
  message: "stream finished",
  status: 200,
};

/** A stream ended. Code -10, HTTP 200. */
export class WebrpcStreamFinishedError extends WebrpcError {
  constructor(error: WebrpcErrorParams = {}) {
    super(error, streamFinished);
  }
}

/** Classes of the built-in errors by code. */
export const builtInErrorByCode: WebrpcErrorClasses = {
  [0]: WebrpcEndpointError,
  [-1]: WebrpcRequestFailedError,
  [-2]: WebrpcBadRouteError,
  [-3]: WebrpcBadMethodError,
  [-4]: WebrpcBadRequestError,
  [-5]: WebrpcBadResponseError,
  [-6]: WebrpcServerPanicError,
  [-7]: WebrpcInternalErrorError,
  [-8]: WebrpcClientAbortedError,
  [-9]: WebrpcStreamLostError,
  [-10]: WebrpcStreamFinishedError,
};

/** Codes of the built-in errors by name. */
export const builtInErrorCodes = {
  WebrpcEndpoint: 0,
  WebrpcRequestFailed: -1,
  WebrpcBadRoute: -2,
  WebrpcBadMethod: -3,
  WebrpcBadRequest: -4,
  WebrpcBadResponse: -5,
  WebrpcServerPanic: -6,
  WebrpcInternalError: -7,
  WebrpcClientAborted: -8,
  WebrpcStreamLost: -9,
  WebrpcStreamFinished: -10,
} as const;

/**
 * Returns an enum of names.
 *
 * Example: `namesOf({ Unauthorized: 1000 })` is `{ Unauthorized: "Unauthorized"
 * }`.
 */
export function namesOf<const Codes extends Readonly<Record<string, number>>>(
  codes: Codes,
): { readonly [Name in keyof Codes]: Name };
/** Implements the signature above. */
export function namesOf(codes: Readonly<Record<string, number>>): unknown {
  return Object.fromEntries(Object.keys(codes).map((name) => [name, name]));
}

/**
 * Returns an enum of numbers: codes by name, and names by code.
 *
 * Example: `codesOf({ Unauthorized: 1000 })[1000]` is `"Unauthorized"`.
 */
export function codesOf<const Codes extends Readonly<Record<string, number>>>(
  codes: Codes,
): Codes & { readonly [code: number]: string } {
  const names = Object.entries(codes).map(([name, code]) => [code, name]);
  return { ...Object.fromEntries(names), ...codes };
}

/**
 * Converts a failed call's error to the one that webrpc's client would throw.
 *
 * Input: any thrown value, and the classes by code. Returns an error of the
 * class for its code, with the same name, message, and status. An error that
 * the client itself creates has the message of its class, as in webrpc. Values
 * other than RpcErrors are returned unchanged.
 */
export function toWebrpcError(
  error: unknown,
  classes: WebrpcErrorClasses,
): unknown {
  if (!isRpcError(error)) return error;
  const { name, code, message, status } = error;
  const cause = textOf(error.cause);
  const Class = classes[code] ?? WebrpcError;
  if (!("reason" in error)) {
    return new Class({ name, code, message, status, cause });
  }
  const made = isAborted(error)
    ? new WebrpcClientAbortedError({ cause })
    : new Class({ name, code, status: status || undefined, cause });
  return Object.assign(made, { reason: error.reason });
}

/**
 * Converts the error of a call that is not a stream. If such a call is aborted,
 * webrpc's client throws `WebrpcRequestFailedError`.
 */
export function toCallError(
  error: unknown,
  classes: WebrpcErrorClasses,
): unknown {
  if (!isAborted(error)) return toWebrpcError(error, classes);
  const { reason } = error;
  const cause = textOf(error.cause);
  const failed = new WebrpcRequestFailedError({ cause });
  // The reason distinguishes the error from a network failure.
  return Object.assign(failed, { reason });
}

function isAborted(error: unknown): error is BareError & { reason: "aborted" } {
  return isRpcError(error) && "reason" in error && error.reason === "aborted";
}

/** Returns a cause as a string, because webrpc's causes are strings. */
function textOf(cause: unknown): string | undefined {
  if (cause === undefined || cause === null) return undefined;
  const message = memberOf(cause, "message");
  return typeof message === "string" ? `fetch(): ${message}` : String(cause);
}
