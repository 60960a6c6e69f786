/** The JSON form of a failure. */
export interface Envelope {
  readonly error: string;
  readonly code: number;
  readonly msg: string;
  readonly cause: string | null;
  readonly status: number;
}

/** Parses the envelope of an error. Returns null if a body is not one. */
export function readEnvelope(body: string): Envelope | null {
  const value = parseObject(body);
  const { cause = null, code, error, msg, status } = value;
  const isEnvelope =
    typeof error === "string" &&
    Number.isInteger(code) &&
    typeof msg === "string" &&
    Number.isInteger(status) &&
    (typeof cause === "string" || cause === null);
  return isEnvelope
    ? { error, code: Number(code), msg, cause, status: Number(status) }
    : null;
}

/** Returns the JSON of the data in an envelope, or "" if it has none. */
export function dataIn(body: string): string {
  return JSON.stringify(parseObject(body)["data"]) ?? "";
}

/**
 * Whether a body is an envelope of webrpc's TypeScript servers, which has
 * `name` instead of `error` and no `msg`.
 */
export function isTypescriptEnvelope(body: string): boolean {
  const { code, error, name, status } = parseObject(body);
  return (
    error === undefined &&
    typeof name === "string" &&
    typeof code === "number" &&
    typeof status === "number"
  );
}

/**
 * Returns the envelope in a line of a stream, which means that the stream
 * failed, as JSON. Returns null for items.
 */
export function failureInLine(line: string): string | null {
  const { webrpcError } = parseObject(line);
  return webrpcError === undefined ? null : JSON.stringify(webrpcError);
}

/** Returns the status beside the error in a line, or 500. */
export function statusInLine(line: string): number {
  return Number(parseObject(line)["status"] ?? 500);
}

/**
 * Parses the members of an object. Returns an empty object if the body is not
 * an object.
 */
function parseObject(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
