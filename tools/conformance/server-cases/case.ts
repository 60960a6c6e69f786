/** One request and the response that a server must return. */
export interface ServerCase {
  /** The topic and the case, such as `numbers: Uint8 256`. */
  readonly name: string;
  /** The HTTP method, POST by default. */
  readonly verb?: string;
  readonly path: string;
  /** The request headers. Default: a content type of `application/json`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The request body, `{}` by default, or null for none. */
  readonly body?: string | Uint8Array | null;
  readonly answer: Answer;
  /** What not every language can represent, as in `client-cases.jsonl`. */
  readonly needs?: readonly string[];
  /**
   * The maximum processor time until the response, in milliseconds. The default
   * is 2000.
   */
  readonly withinMs?: number;
  /** Restricts the case to this `int64` setting. */
  readonly int64?: "number" | "bigint";
  /** Restricts the case to this `timestamp` setting. */
  readonly timestamp?: "string" | "date";
}

/** The response that a case requires. */
export interface Answer {
  readonly status: number;
  /** The whole response body. */
  readonly text?: string;
  /** The name in the envelope. */
  readonly error?: string;
  /** The code in the envelope. */
  readonly code?: number;
  readonly msg?: string;
  /** The start of the cause in the envelope, or null if it must have none. */
  readonly cause?: string | null;
  /**
   * Headers by lower-case name, patterns of headers, or null if a header must be
   * absent.
   */
  readonly headers?: Readonly<Record<string, string | RegExp | null>>;
}

/** A sent value, or a sent value and the value that the server must return. */
type Sent = string | readonly [sent: string, wanted: string];

/**
 * Creates cases that expect the server to return each value as it was sent or
 * in its canonical form.
 */
export function echoes(
  category: string,
  method: string,
  ...values: readonly Sent[]
): ServerCase[] {
  return values.map((value) => {
    const [sent, wanted] = typeof value === "string" ? [value, value] : value;
    return {
      name: `${category}: ${method} ${shorten(sent)}`,
      path: `/rpc/Echo/${method}`,
      body: `{"value":${sent}}`,
      answer: { status: 200, text: `{"value":${wanted}}` },
    };
  });
}

/**
 * Creates cases that expect the server to reject each value with a cause that
 * starts with `cause`.
 */
export function refuses(
  category: string,
  method: string,
  cause: string,
  ...values: readonly string[]
): ServerCase[] {
  return values.map((sent) => ({
    name: `${category}: ${method} not ${shorten(sent)}`,
    path: `/rpc/Echo/${method}`,
    body: `{"value":${sent}}`,
    answer: invalid(cause),
  }));
}

/** Returns the response to invalid fields. */
export function invalid(cause: string): Answer {
  return { status: 400, error: "InvalidArgument", code: 2000, cause };
}

/** Returns the response to an invalid request. */
export function badRequest(cause: string, status = 400): Answer {
  return { status, error: "WebrpcBadRequest", code: -4, cause };
}

/** Returns the cases with these options. */
export function where(
  options: Pick<ServerCase, "int64" | "timestamp" | "withinMs">,
  cases: readonly ServerCase[],
): ServerCase[] {
  const suffix = Object.values(options).filter(
    (value) => typeof value === "string",
  );
  return cases.map((given) => ({
    ...given,
    ...options,
    name: [given.name, ...suffix].join(" as "),
  }));
}

function shorten(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 50)}… (${text.length})`;
}
