/** The JSON of a failure. */
export interface Envelope {
  readonly error: string;
  readonly code: number;
  readonly msg: string;
  readonly cause: string | null;
  readonly status: number;
}

/** Reads the envelope of an error; null if a body is none. */
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

/**
 * Whether a body is an envelope as webrpc's TypeScript servers write it, with
 * `name` instead of `error`, and without `msg`.
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

/** The members of an object; none if a body is no object. */
function parseObject(body: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
