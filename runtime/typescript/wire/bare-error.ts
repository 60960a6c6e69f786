/** The fixed properties of an error, from one row of the error table. */
export interface ErrorDefinition<Name extends string = string> {
  /** Name of the error, e.g. `PermissionDenied`. */
  readonly name: Name;
  /**
   * Code of the error, e.g. `1001`. Built-in errors have zero or negative
   * codes.
   */
  readonly code: number;
  /** Default message. */
  readonly message: string;
  /** HTTP status, 300 to 599. */
  readonly status: number;
}

/**
 * Rows of an error table by name. A row has a code, an HTTP status, and a
 * message. Without a message, one is derived from the name.
 */
export type ErrorRows = Readonly<
  Record<string, readonly [code: number, status: number, message?: string]>
>;

/**
 * Version of what generated code imports. It changes if code that an earlier
 * version of ridlkit generated would no longer work.
 */
export type CodegenVersion = 1;

/**
 * Error definitions by name, created from {@link ErrorRows}. A generated table
 * names the version of the runtime that its contract's code needs, so that the
 * compiler reports a runtime of another version.
 */
export type ErrorTable<
  Rows extends ErrorRows,
  _Version extends CodegenVersion = CodegenVersion,
> = {
  readonly [Name in keyof Rows & string]: {
    readonly name: Name;
    readonly code: Rows[Name][0];
    readonly message: string;
    readonly status: Rows[Name][1];
  };
};

/**
 * Creates an error table.
 *
 * Example: `errorTable({ QueryFailed: [2003, 400], NotFound: [3000, 400,
 * "Resource not found"] })`.
 */
export function errorTable<const Rows extends ErrorRows>(
  rows: Rows,
): ErrorTable<Rows> {
  return Object.fromEntries(
    Object.entries(rows).map(
      ([name, [code, status, message = wordsOf(name)]]) => [
        name,
        { name, code, message, status },
      ],
    ),
  ) as ErrorTable<Rows>;
}

/**
 * Returns `Query failed` for `QueryFailed` and `bad route` for
 * `WebrpcBadRoute`.
 */
function wordsOf(name: string): string {
  return name
    .replace(/\B[A-Z]/g, (letter) => " " + letter.toLowerCase())
    .replace("Webrpc ", "");
}

/** The JSON body of every error response. */
export interface Envelope {
  /** Name of the error. */
  readonly error: string;
  readonly code: number;
  readonly msg: string;
  /** HTTP status of the response. */
  readonly status: number;
  /** Description of the cause. */
  readonly cause?: string;
}

/** Properties of one occurrence of an error. */
export interface RpcErrorOptions {
  /** Replaces the message in the error table. */
  readonly message?: string | undefined;
  /**
   * The cause. It is sent to the client only if it is a string. Other values,
   * such as a database exception, stay on the server.
   */
  readonly cause?: unknown;
}

/** The properties of a {@link BareError}. */
export interface ErrorProperties<Name extends string> extends Omit<
  ErrorDefinition<Name>,
  "message"
> {
  /** The message. On the wire, it also has this name. */
  readonly msg: string;
  /** The reason, for errors that a client creates itself. */
  readonly reason?: string;
}

/**
 * The fields of the class below. Declared there, they would increase bundle
 * sizes, or with `declare`, Babel 7 would reject them by default.
 */
export interface BareError<Name extends string = string> {
  readonly name: Name;
  readonly code: number;
  /** HTTP status. */
  readonly status: number;
  /** The message, as named in the envelope. */
  readonly msg: string;
  /**
   * The body of the response, as JSON or text, if the contract declares data or
   * bodies of errors. Logs do not contain it, because it can be sensitive.
   */
  readonly body?: unknown;
}

/**
 * An RpcError without a custom `instanceof`, which would increase the size of
 * client bundles. `error instanceof RpcError` is still true for it.
 */
export class BareError<Name extends string = string> extends Error {
  /**
   * Input: `options` can have a cause. Omit an undefined cause, because
   * consoles would show it.
   */
  constructor(properties: ErrorProperties<Name>, options?: ErrorOptions) {
    super(properties.msg, options);
    // When an error is logged as JSON, `message` and `cause` are omitted, but
    // these are not.
    Object.assign(this, properties);
  }

  /** Always true. Identifies RpcErrors from any copy of the runtime. */
  get isRpcError(): true {
    return true;
  }
}

/**
 * Reads an envelope that anyone may have sent.
 *
 * Input: the JSON of a response, and its HTTP status, which is also the status
 * of the error whatever the envelope says. Reads `name` or `message` if `error` or
 * `msg` is missing. Ignores messages and causes that are no strings, and codes that
 * are no integers of 32 bits. Returns undefined if there is no name.
 */
export function fromEnvelope(
  json: unknown,
  status: number,
): BareError | undefined {
  // Anything can be in place of the code, which the operator below converts.
  const envelope: ErrorOptions &
    Readonly<Record<string, unknown>> & {
      readonly code: number;
    } = Object(json);
  const code = envelope.code | 0;
  const name = envelope["error"] ?? envelope["name"];
  const message = envelope["msg"] ?? envelope["message"];
  if (typeof name !== "string") return undefined;
  return new BareError(
    {
      name,
      code: code === envelope.code ? code : 0,
      msg: typeof message === "string" ? message : name,
      status,
    },
    typeof envelope["cause"] === "string" ? envelope : {},
  );
}
