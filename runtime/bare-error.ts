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

/**
 * An RpcError without the tricks of `instanceof`, which bundles of clients need
 * not carry: `error instanceof RpcError` holds for it all the same.
 */
export class BareError<Name extends string = string> extends Error {
  // Declared only: fields of a class would say everything twice in a bundle.
  declare readonly name: Name;
  declare readonly code: number;
  /** HTTP status. */
  declare readonly status: number;

  /** What a definition says beyond the table becomes a property, too. */
  constructor(
    { message, ...properties }: ErrorDefinition<Name>,
    options?: RpcErrorOptions,
  ) {
    super(options?.message ?? message, options);
    Object.assign(this, properties);
  }

  /** The message, by its name on the wire. */
  get msg(): string {
    return this.message;
  }

  /** Tells an RpcError of any copy of this file. */
  get isRpcError(): true {
    return true;
  }

  /** The envelope; a `cause` that is not a string is left out. */
  toJSON(): Envelope {
    const { name: error, code, msg, cause, status } = this;
    return {
      error,
      code,
      msg,
      ...(typeof cause === "string" && { cause }),
      status,
    };
  }
}

/**
 * Reads an envelope.
 *
 * Input: parsed JSON of an answer, and its HTTP status. `name` and `message` are
 * read where `error` and `msg` are missing; names and codes need not be known.
 * Output: null when it has no name, so is no envelope.
 */
export function fromEnvelope(json: unknown, status: number): BareError | null {
  const {
    name,
    error = name,
    code,
    message = error,
    msg = message,
    status: own,
    cause,
  }: Readonly<Record<string, unknown>> = Object(json);
  if (typeof error !== "string") return null;
  const definition = {
    name: error,
    code: Number(code) || 0,
    message: typeof msg === "string" ? msg : error,
    status: Number(own) || status,
  };
  return new BareError(definition, cause === undefined ? {} : { cause });
}
