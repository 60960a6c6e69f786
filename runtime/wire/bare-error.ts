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

/**
 * The rows of an error table by name: code, HTTP status, and text for people where
 * that is not the words of the name.
 */
export type ErrorRows = Readonly<
  Record<string, readonly [code: number, status: number, message?: string]>
>;

/** What {@link ErrorRows} say, in full. */
export type ErrorTable<Rows extends ErrorRows> = {
  readonly [Name in keyof Rows & string]: {
    readonly name: Name;
    readonly code: Rows[Name][0];
    readonly message: string;
    readonly status: Rows[Name][1];
  };
};

/**
 * An error table.
 *
 * Example: `errorTable({ QueryFailed: [2003, 400], NotFound: [3000, 400, "Resource
 * not found"] })`.
 */
export function errorTable<const Rows extends ErrorRows>(
  rows: Rows,
): ErrorTable<Rows> {
  const table = Object.entries(rows).map(
    ([name, [code, status, message = wordsOf(name)]]) => [
      name,
      { name, code, message, status },
    ],
  );
  return Object.fromEntries(table) as ErrorTable<Rows>;
}

/** `Query failed` of `QueryFailed`, `bad route` of `WebrpcBadRoute`. */
function wordsOf(name: string): string {
  return name
    .replace(/\B[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace("Webrpc ", "");
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

/** What a {@link BareError} is made of. */
export interface ErrorProperties<Name extends string> extends Omit<
  ErrorDefinition<Name>,
  "message"
> {
  /** The message, by its name on the wire. */
  readonly msg: string;
  /** For those that a client raises itself: why. */
  readonly reason?: string;
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
  /** The message, by its name on the wire. */
  declare readonly msg: string;

  /**
   * Input: `options` may have a cause. One that is undefined is a cause as well,
   * which consoles show; so leave it out.
   */
  constructor(properties: ErrorProperties<Name>, options?: ErrorOptions) {
    super(properties.msg, options);
    // Logs that write an error as JSON leave `message` and `cause` out.
    Object.assign(this, properties);
  }

  /** Tells an RpcError of any copy of this file. */
  get isRpcError(): true {
    return true;
  }
}

/**
 * Reads an envelope.
 *
 * Input: parsed JSON of an answer, and its HTTP status. `name` and `message` are
 * read where `error` and `msg` are missing; names and codes need not be known.
 * Output: undefined when it has no name, so is no envelope.
 */
export function fromEnvelope(
  json: unknown,
  status: number,
): BareError | undefined {
  const envelope: Readonly<Record<string, unknown>> = Object(json);
  const name = envelope["error"] ?? envelope["name"];
  if (typeof name !== "string") return undefined;
  return new BareError(
    {
      name,
      code: Number(envelope["code"]) || 0,
      msg: `${envelope["msg"] ?? envelope["message"] ?? name}`,
      status: Number(envelope["status"]) || status,
    },
    envelope,
  );
}
