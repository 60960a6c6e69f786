import {
  BareError,
  errorTable,
  type Envelope,
  type ErrorDefinition,
  type ErrorTable,
  type RpcErrorOptions,
} from "./bare-error.js";

export {
  errorTable,
  fromEnvelope,
  type CodegenVersion,
  type Envelope,
  type ErrorDefinition,
  type ErrorRows,
  type ErrorTable,
  type RpcErrorOptions,
} from "./bare-error.js";
export { describeError } from "./describe-error.js";

/**
 * An error of a contract, both on the client and on the server.
 *
 * `instanceof` compares names: `error instanceof PermissionDeniedError` is true
 * for every RpcError with the name `PermissionDenied`, even from another copy
 * of the runtime. Therefore, clients need not include the classes.
 */
export class RpcError<Name extends string = string> extends BareError<Name> {
  /** The name that `instanceof` compares. Null matches every RpcError. */
  static readonly errorName: string | null = null;

  constructor(
    { name, code, message: usual, status }: ErrorDefinition<Name>,
    { message = usual, cause }: RpcErrorOptions = {},
  ) {
    const options = cause === undefined ? cause : { cause };
    // A rest property would be slower.
    super({ name, code, status, msg: message }, options);
  }

  /**
   * Distinguishes errors that a program creates from errors that a client
   * receives, for which this is undefined.
   */
  get isRaised(): true | undefined {
    return true;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    // A subclass without a name of its own is an ordinary class.
    return Object.hasOwn(this, "errorName")
      ? isRpcError(value, this.errorName ?? undefined)
      : super[Symbol.hasInstance](value);
  }
}

/** Properties of one occurrence of an error with data. */
export interface DataErrorOptions<Data> extends RpcErrorOptions {
  /** The data. A server checks it and sends it to the client. */
  readonly data: Data;
}

/** Properties of one occurrence of an error that can have any status. */
export interface AnyStatusOptions {
  /** HTTP status, 300 to 599. Default: the status in the contract. */
  readonly status?: number;
}

/**
 * Data as a handler passes it: members at the paths, such as `error.message`,
 * are optional, because the server fills them in.
 */
export type FilledData<Data, Path extends string> = [Path] extends [never]
  ? Data
  : Data extends readonly (infer Item)[]
    ? readonly FilledData<Item, Path>[]
    : Omit<Data, HeadOf<Path>> & {
        readonly [Key in keyof Data & HeadOf<Path>]?: FilledData<
          Data[Key],
          TailOf<Path, Key>
        >;
      };

type HeadOf<Path> = Path extends `${infer Head}.${string}` ? Head : Path;

type TailOf<Path, Key extends string> = Path extends `${Key}.${infer Tail}`
  ? Tail
  : never;

/** The field of the class below, which is set without a declaration. */
export interface DataError<Name extends string, Data> extends RpcError<Name> {
  /**
   * The data that the error carries. Undefined if the server sent none, or data
   * that violates the contract. Logs do not contain it, because it can be
   * sensitive.
   */
  readonly data: Data | undefined;
}

/** The base class of the errors that carry data. */
export class DataError<Name extends string, Data> extends RpcError<Name> {
  constructor(
    definition: ErrorDefinition<Name>,
    options: DataErrorOptions<Data> | Partial<DataErrorOptions<unknown>> = {},
  ) {
    super(definition, options);
    Object.defineProperty(this, "data", { value: options.data });
  }
}

/**
 * Whether a value is an RpcError, optionally with a given name.
 *
 * Example: `isRpcError(error, "PermissionDenied")`.
 */
export function isRpcError<Name extends string = string>(
  error: unknown,
  name?: Name,
): error is RpcError<Name> {
  return (
    typeof error === "object" &&
    error !== null &&
    "isRpcError" in error &&
    "name" in error &&
    (name === undefined || error.name === name)
  );
}

/** Returns the JSON form of an error. Omits a `cause` that is not a string. */
export function toEnvelope(error: BareError): Envelope {
  const { name, code, message, cause, status } = error;
  return {
    error: name,
    code,
    msg: message,
    ...(typeof cause === "string" && { cause }),
    status,
  };
}

/** Code, HTTP status, and message (by default, derived from the name). */
const rows = {
  WebrpcEndpoint: [0, 400, "endpoint error"],
  WebrpcRequestFailed: [-1, 400],
  WebrpcBadRoute: [-2, 404],
  WebrpcBadMethod: [-3, 405],
  WebrpcBadRequest: [-4, 400],
  WebrpcBadResponse: [-5, 500],
  WebrpcServerPanic: [-6, 500],
  WebrpcInternalError: [-7, 500],
  WebrpcClientDisconnected: [-8, 400],
  WebrpcStreamLost: [-9, 400],
} as const;

/** The errors that every service can return, by name. */
export const builtInErrors: ErrorTable<typeof rows> =
  /* @__PURE__ */ errorTable(rows);

/** An unspecified error. Code 0, HTTP 400. */
export class WebrpcEndpointError extends RpcError<"WebrpcEndpoint"> {
  static override readonly errorName = "WebrpcEndpoint";
  constructor(options?: RpcErrorOptions) {
    super(builtInErrors.WebrpcEndpoint, options);
  }
}

/**
 * The request did not reach the server, the server was too busy, or there was
 * no response in time. Code -1, HTTP 400.
 */
export class WebrpcRequestFailedError extends RpcError<"WebrpcRequestFailed"> {
  static override readonly errorName = "WebrpcRequestFailed";
  constructor(options?: RpcErrorOptions) {
    super(builtInErrors.WebrpcRequestFailed, options);
  }
}

/** There is no method at this path. Code -2, HTTP 404. */
export class WebrpcBadRouteError extends RpcError<"WebrpcBadRoute"> {
  static override readonly errorName = "WebrpcBadRoute";
  constructor(options?: RpcErrorOptions) {
    super(builtInErrors.WebrpcBadRoute, options);
  }
}

/** The method requires a different HTTP method. Code -3, HTTP 405. */
export class WebrpcBadMethodError extends RpcError<"WebrpcBadMethod"> {
  static override readonly errorName = "WebrpcBadMethod";
  constructor(options?: RpcErrorOptions) {
    super(builtInErrors.WebrpcBadMethod, options);
  }
}

/** The request is invalid. Code -4, HTTP 400. */
export class WebrpcBadRequestError extends RpcError<"WebrpcBadRequest"> {
  static override readonly errorName = "WebrpcBadRequest";
  constructor(options?: RpcErrorOptions) {
    super(builtInErrors.WebrpcBadRequest, options);
  }
}

/** The response violates the contract. Code -5, HTTP 500. */
export class WebrpcBadResponseError extends RpcError<"WebrpcBadResponse"> {
  static override readonly errorName = "WebrpcBadResponse";
  constructor(options?: RpcErrorOptions) {
    super(builtInErrors.WebrpcBadResponse, options);
  }
}

/** The server failed while it handled the request. Code -6, HTTP 500. */
export class WebrpcServerPanicError extends RpcError<"WebrpcServerPanic"> {
  static override readonly errorName = "WebrpcServerPanic";
  constructor(options?: RpcErrorOptions) {
    super(builtInErrors.WebrpcServerPanic, options);
  }
}

/** The server had an unexpected error. Code -7, HTTP 500. */
export class WebrpcInternalErrorError extends RpcError<"WebrpcInternalError"> {
  static override readonly errorName = "WebrpcInternalError";
  constructor(options?: RpcErrorOptions) {
    super(builtInErrors.WebrpcInternalError, options);
  }
}

/**
 * The client disconnected before it received the response. Code -8, HTTP 400.
 */
export class WebrpcClientDisconnectedError extends RpcError<"WebrpcClientDisconnected"> {
  static override readonly errorName = "WebrpcClientDisconnected";
  constructor(options?: RpcErrorOptions) {
    super(builtInErrors.WebrpcClientDisconnected, options);
  }
}

/** A stream ended early. Code -9, HTTP 400. */
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
