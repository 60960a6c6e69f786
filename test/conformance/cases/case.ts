/** One request, and what a server must answer. */
export interface ServerCase {
  /** What it is about, and which of these it is: `numbers: Uint8 256`. */
  readonly name: string;
  /** POST unless given. */
  readonly verb?: string;
  readonly path: string;
  /** `Content-Type: application/json` unless given. */
  readonly headers?: Readonly<Record<string, string>>;
  /** `{}` unless given; null: none. */
  readonly body?: string | Uint8Array | null;
  readonly answer: Answer;
  /** Milliseconds until the answer has to be there; 2000 unless given. */
  readonly withinMs?: number;
  /** Only where `int64` is so. */
  readonly int64?: "number" | "bigint";
  /** Only where `timestamp` is so. */
  readonly timestamp?: "string" | "date";
}

/** What must come back. */
export interface Answer {
  readonly status: number;
  /** All of the body. */
  readonly text?: string;
  /** Name in the envelope. */
  readonly error?: string;
  /** Code in the envelope. */
  readonly code?: number;
  readonly msg?: string;
  /** What the cause begins with; null: there is none. */
  readonly cause?: string | null;
  /** Headers by name in lower case; null: it is not there. */
  readonly headers?: Readonly<Record<string, string | null>>;
}

/** Words that follow `Echo/`, and the text of a value as it is sent. */
type Sent = string | readonly [sent: string, wanted: string];

/** `value` is answered as it was sent, or in the canonical form beside it. */
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

/** `value` is refused, and the cause begins with this. */
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

/** The answer to fields that do not fit. */
export function invalid(cause: string): Answer {
  return { status: 400, error: "InvalidArgument", code: 2000, cause };
}

/** The answer to a request that is none. */
export function badRequest(cause: string): Answer {
  return { status: 400, error: "WebrpcBadRequest", code: -4, cause };
}

/** The same with what an option changes. */
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
