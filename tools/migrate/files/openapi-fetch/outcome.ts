import { type Result, TransportError } from "@ridlkit/runtime/client";

/** The outcome of a call, in the form that openapi-fetch returns. */
export type Outcome<Data, Failure> =
  | { data: Data; error?: undefined; response: Status }
  | { data?: undefined; error: ErrorOf<Failure>; response: Status };

interface Status {
  readonly ok: boolean;
  readonly status: number;
}

/** The body of an error, or the error itself if the contract has no bodies. */
type ErrorOf<Failure> = [BodyOf<Failure>] extends [never]
  ? Failure
  : BodyOf<Failure>;

type BodyOf<Failure> = Failure extends { readonly data: infer Body }
  ? NonNullable<Body>
  : never;

interface Failed {
  readonly status: number;
  readonly data?: unknown;
}

/**
 * Waits for the result of a call.
 *
 * Input: the result, the name of the output that is the body of the response
 * (null if it has no body), and the status of a success or the name of the
 * output with the status.
 * Errors: those of the connection, which openapi-fetch throws, too.
 */
export function outcomeOf<Value, Failure extends Failed>(
  result: Promise<Result<Value, Failure>>,
  key?: undefined,
  status?: number | string,
): Promise<Outcome<Value, Failure>>;
/** Waits for a result whose body is one of several outputs. */
export function outcomeOf<
  Value,
  Key extends keyof Value,
  Failure extends Failed,
>(
  result: Promise<Result<Value, Failure>>,
  key: Key,
  status?: number | string,
): Promise<Outcome<Value[Key], Failure>>;
/** Waits for a result without a body. */
export function outcomeOf<Failure extends Failed>(
  result: Promise<Result<unknown, Failure>>,
  key: null,
  status?: number | string,
): Promise<Outcome<undefined, Failure>>;
/** Waits for any of these results. */
export async function outcomeOf(
  result: Promise<Result<unknown, Failed>>,
  key?: PropertyKey | null,
  status: number | string = 200,
): Promise<Outcome<unknown, unknown>> {
  const settled = await result;
  if (settled.ok) {
    const { value } = settled;
    const sent =
      typeof status === "number" ? status : Number(read(value, status));
    return { data: read(value, key), response: { ok: true, status: sent } };
  }
  const { error } = settled;
  if (error instanceof TransportError && error.reason !== "bad-response") {
    throw Reflect.get(error, "cause") ?? error;
  }
  const { data = error, status: failed }: Failed = error;
  return { error: data, response: { ok: false, status: failed } };
}

function read(value: unknown, key: PropertyKey | null | undefined): unknown {
  if (key === null) return undefined;
  return key === undefined ? value : Reflect.get(Object(value), key);
}
