/** What is fixed about an error: one row of the error table. */
export interface ErrorDefinition<Name extends string = string> {
  /** E.g. `PermissionDenied`. */
  readonly name: Name;
  /** E.g. `1001`; built-in errors have 0 and negative codes. */
  readonly code: number;
  /** Text for people, unless whoever raises it says more. */
  readonly message: string;
  /** HTTP status, 400 to 599. */
  readonly status: number;
}

/** A failure on the wire; the body of every answer that is not a success. */
export interface Envelope {
  /** Name of the error. */
  readonly error: string;
  readonly code: number;
  readonly msg: string;
  /** HTTP status, the same as that of the answer. */
  readonly status: number;
  /** What led to it, in words. */
  readonly cause?: string;
}

/** What may be said about one occurrence of an error. */
export interface RpcErrorOptions {
  /** Replaces the text of the error table. */
  readonly message?: string | undefined;
  /**
   * What led to it. Only a string travels to the client; anything else (the
   * exception of a database, say) stays in this process.
   */
  readonly cause?: unknown;
}

const brand = /* @__PURE__ */ Symbol.for("ridlkit.RpcError");

function isBranded(value: unknown): value is RpcError {
  return typeof value === "object" && value !== null && brand in value;
}

/**
 * An outcome that is not a success, on the client and on the server.
 *
 * `instanceof` goes by name: `error instanceof PermissionDeniedError` holds for
 * every RpcError called `PermissionDenied`, also when it is a plain RpcError or
 * comes from another copy of this file. So clients need not carry the classes.
 */
export class RpcError<Name extends string = string> extends Error {
  /** What `instanceof` looks for; null takes every RpcError. */
  static readonly errorName: string | null = null;

  override readonly name: Name;
  readonly code: number;
  /** HTTP status. */
  readonly status: number;

  constructor(definition: ErrorDefinition<Name>, options?: RpcErrorOptions) {
    super(options?.message ?? definition.message, options);
    this.name = definition.name;
    this.code = definition.code;
    this.status = definition.status;
  }

  /** The message, by its name on the wire. */
  get msg(): string {
    return this.message;
  }

  get [brand](): true {
    return true;
  }

  /** The envelope; a `cause` that is not a string is left out. */
  toJSON(): Envelope {
    const { name: error, code, msg, status, cause } = this;
    const envelope = { error, code, msg, status };
    return typeof cause === "string" ? { ...envelope, cause } : envelope;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    // A subclass without a name of its own is an ordinary class.
    const isNamed = Object.hasOwn(this, "errorName") && isBranded(value);
    return isNamed
      ? this.errorName === null || this.errorName === value.name
      : Function.prototype[Symbol.hasInstance].call(this, value);
  }
}

/**
 * Whether `error` is an RpcError, of this name if one is given.
 *
 * Example: `isRpcError(error, "PermissionDenied")`.
 */
export function isRpcError<Name extends string = string>(
  error: unknown,
  name?: Name,
): error is RpcError<Name> {
  return isBranded(error) && (name === undefined || error.name === name);
}

/**
 * Reads an envelope.
 *
 * Input: parsed JSON of an answer, and its HTTP status. `name` and `message` are
 * read where `error` and `msg` are missing; names and codes need not be known.
 * Output: null when it is no envelope: neither a name nor a code.
 */
export function fromEnvelope(json: unknown, status: number): RpcError | null {
  if (typeof json !== "object" || json === null) return null;
  const read: Readonly<Record<string, unknown>> = { ...json };
  const name = text(read["error"]) ?? text(read["name"]);
  const code = number(read["code"]);
  if (name === undefined && code === undefined) return null;
  const definition = {
    name: name ?? "WebrpcEndpoint",
    code: code ?? 0,
    message: text(read["msg"]) ?? text(read["message"]) ?? name ?? "",
    status: number(read["status"]) ?? status,
  };
  const cause = text(read["cause"]);
  return new RpcError(definition, cause === undefined ? {} : { cause });
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function number(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

/** The errors that every service may answer, by name. */
export const builtInErrors = {
  WebrpcEndpoint: {
    name: "WebrpcEndpoint",
    code: 0,
    message: "endpoint error",
    status: 400,
  },
  WebrpcRequestFailed: {
    name: "WebrpcRequestFailed",
    code: -1,
    message: "request failed",
    status: 400,
  },
  WebrpcBadRoute: {
    name: "WebrpcBadRoute",
    code: -2,
    message: "bad route",
    status: 404,
  },
  WebrpcBadMethod: {
    name: "WebrpcBadMethod",
    code: -3,
    message: "bad method",
    status: 405,
  },
  WebrpcBadRequest: {
    name: "WebrpcBadRequest",
    code: -4,
    message: "bad request",
    status: 400,
  },
  WebrpcBadResponse: {
    name: "WebrpcBadResponse",
    code: -5,
    message: "bad response",
    status: 500,
  },
  WebrpcServerPanic: {
    name: "WebrpcServerPanic",
    code: -6,
    message: "server panic",
    status: 500,
  },
  WebrpcInternalError: {
    name: "WebrpcInternalError",
    code: -7,
    message: "internal error",
    status: 500,
  },
  WebrpcClientDisconnected: {
    name: "WebrpcClientDisconnected",
    code: -8,
    message: "client disconnected",
    status: 400,
  },
  WebrpcStreamLost: {
    name: "WebrpcStreamLost",
    code: -9,
    message: "stream lost",
    status: 400,
  },
} as const;

/** An error that says no more. Code 0, HTTP 400. */
export class WebrpcEndpointError extends RpcError<"WebrpcEndpoint"> {
  static override readonly errorName = "WebrpcEndpoint";
  constructor(options?: RpcErrorOptions) {
    super(builtInErrors.WebrpcEndpoint, options);
  }
}

/** The request did not reach the server, or no answer came. Code -1, HTTP 400. */
export class WebrpcRequestFailedError extends RpcError<"WebrpcRequestFailed"> {
  static override readonly errorName = "WebrpcRequestFailed";
  constructor(options?: RpcErrorOptions) {
    super(builtInErrors.WebrpcRequestFailed, options);
  }
}

/** No method at this path. Code -2, HTTP 404. */
export class WebrpcBadRouteError extends RpcError<"WebrpcBadRoute"> {
  static override readonly errorName = "WebrpcBadRoute";
  constructor(options?: RpcErrorOptions) {
    super(builtInErrors.WebrpcBadRoute, options);
  }
}

/** The method is reached by another HTTP method. Code -3, HTTP 405. */
export class WebrpcBadMethodError extends RpcError<"WebrpcBadMethod"> {
  static override readonly errorName = "WebrpcBadMethod";
  constructor(options?: RpcErrorOptions) {
    super(builtInErrors.WebrpcBadMethod, options);
  }
}

/** The request cannot be read. Code -4, HTTP 400. */
export class WebrpcBadRequestError extends RpcError<"WebrpcBadRequest"> {
  static override readonly errorName = "WebrpcBadRequest";
  constructor(options?: RpcErrorOptions) {
    super(builtInErrors.WebrpcBadRequest, options);
  }
}

/** The response does not fit the contract. Code -5, HTTP 500. */
export class WebrpcBadResponseError extends RpcError<"WebrpcBadResponse"> {
  static override readonly errorName = "WebrpcBadResponse";
  constructor(options?: RpcErrorOptions) {
    super(builtInErrors.WebrpcBadResponse, options);
  }
}

/** The server broke off. Code -6, HTTP 500. */
export class WebrpcServerPanicError extends RpcError<"WebrpcServerPanic"> {
  static override readonly errorName = "WebrpcServerPanic";
  constructor(options?: RpcErrorOptions) {
    super(builtInErrors.WebrpcServerPanic, options);
  }
}

/** Something unforeseen on the server. Code -7, HTTP 500. */
export class WebrpcInternalErrorError extends RpcError<"WebrpcInternalError"> {
  static override readonly errorName = "WebrpcInternalError";
  constructor(options?: RpcErrorOptions) {
    super(builtInErrors.WebrpcInternalError, options);
  }
}

/** The client went away before the answer. Code -8, HTTP 400. */
export class WebrpcClientDisconnectedError extends RpcError<"WebrpcClientDisconnected"> {
  static override readonly errorName = "WebrpcClientDisconnected";
  constructor(options?: RpcErrorOptions) {
    super(builtInErrors.WebrpcClientDisconnected, options);
  }
}

/** A stream ended too early. Code -9, HTTP 400. */
export class WebrpcStreamLostError extends RpcError<"WebrpcStreamLost"> {
  static override readonly errorName = "WebrpcStreamLost";
  constructor(options?: RpcErrorOptions) {
    super(builtInErrors.WebrpcStreamLost, options);
  }
}

/** Any built-in error. */
export type BuiltInError =
  | WebrpcEndpointError
  | WebrpcRequestFailedError
  | WebrpcBadRouteError
  | WebrpcBadMethodError
  | WebrpcBadRequestError
  | WebrpcBadResponseError
  | WebrpcServerPanicError
  | WebrpcInternalErrorError
  | WebrpcClientDisconnectedError
  | WebrpcStreamLostError;
