/** One request, and the required answer of a server. */
export interface ServerCase {
  /** The topic and the case: `numbers: Uint8 256`. */
  readonly name: string;
  /** POST by default. */
  readonly verb?: string;
  readonly path: string;
  /** `Content-Type: application/json` by default. */
  readonly headers?: Readonly<Record<string, string>>;
  /** `{}` by default, or null for none. */
  readonly body?: string | Uint8Array | null;
  readonly answer: Answer;
  /** Milliseconds until the answer must arrive, 2000 by default. */
  readonly withinMs?: number;
  /** Only with this setting of `int64`. */
  readonly int64?: "number" | "bigint";
  /** Only with this setting of `timestamp`. */
  readonly timestamp?: "string" | "date";
}

/** The required answer. */
export interface Answer {
  readonly status: number;
  /** The whole body. */
  readonly text?: string;
  /** Name in the envelope. */
  readonly error?: string;
  /** Code in the envelope. */
  readonly code?: number;
  readonly msg?: string;
  /** The start of the cause, or null for none. */
  readonly cause?: string | null;
  /** Headers by name in lower case, or null if absent. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

/** The words after `Echo/`, and the text of a value as it is sent. */
type Sent = string | readonly [sent: string, wanted: string];

/** Expects `value` in the answer as it was sent, or in the given canonical form. */
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

/** Expects `value` to be rejected with a cause that starts with this. */
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

/** The answer to invalid fields. */
export function invalid(cause: string): Answer {
  return { status: 400, error: "InvalidArgument", code: 2000, cause };
}

/** The answer to an invalid request. */
export function badRequest(cause: string): Answer {
  return { status: 400, error: "WebrpcBadRequest", code: -4, cause };
}

/** The same, changed by an option. */
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
