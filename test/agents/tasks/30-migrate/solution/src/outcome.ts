import { type Result, TransportError } from "@ridlkit/runtime/client";
import { ReplacedError } from "./api-client.js";

/** The outcome of a call, in the form that hey-api returns. */
export type ApiOutcome<Data, Failure> =
  | { data: Data; error: undefined; response: Status }
  | { data: undefined; error: ErrorOf<Failure>; response: Status };

/** The outcome of a call that throws errors. */
export interface ApiSuccess<Data> {
  data: Data;
  response: Status;
}

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

type Call<Value, Failure> = Promise<Result<Value, Failure>>;

/**
 * The data of a call. The key is the output that is the body of the response,
 * null if it has no body, or undefined if all outputs are the body.
 */
type DataOf<Value, Key> = Key extends keyof Value
  ? Value[Key]
  : Key extends null
    ? null
    : Value;

/**
 * Waits for the result of a call. `status` is that of a success, or the name of
 * the output with the status.
 */
export async function outcomeOf<
  Value,
  Failure extends Failed,
  const Key extends keyof Value | null | undefined = undefined,
>(
  call: Call<Value, Failure>,
  key?: Key,
  status: number | string = 200,
): Promise<ApiOutcome<DataOf<Value, Key>, Failure>> {
  const result = await call;
  if (result.ok) {
    const { value } = result;
    const data = read(value, key) as DataOf<Value, Key>;
    const sent =
      typeof status === "number" ? status : Number(read(value, status));
    return { data, error: undefined, response: { ok: true, status: sent } };
  }
  const { body, status: failed } = readError(result.error);
  const error = body as ErrorOf<Failure>;
  const response = { ok: false, status: failed };
  return { data: undefined, error, response };
}

/** Waits for the result of a call, and throws the body of an error. */
export async function successOf<
  Value,
  Failure extends Failed,
  const Key extends keyof Value | null | undefined = undefined,
>(
  call: Call<Value, Failure>,
  key?: Key,
  status: number | string = 200,
): Promise<ApiSuccess<DataOf<Value, Key>>> {
  const outcome = await outcomeOf(call, key, status);
  if (!outcome.response.ok) throw outcome.error;
  return {
    data: outcome.data as DataOf<Value, Key>,
    response: outcome.response,
  };
}

/** Waits for the data of a call, which is undefined after an error. */
export async function dataOf<
  Value,
  Failure extends Failed,
  const Key extends keyof Value | null | undefined = undefined,
>(
  call: Call<Value, Failure>,
  key?: Key,
): Promise<DataOf<Value, Key> | undefined> {
  return (await outcomeOf(call, key)).data;
}

/** Waits for the data of a call, and throws the body of an error. */
export async function dataOrThrow<
  Value,
  Failure extends Failed,
  const Key extends keyof Value | null | undefined = undefined,
>(call: Call<Value, Failure>, key?: Key): Promise<DataOf<Value, Key>> {
  return (await successOf(call, key)).data;
}

function read(value: unknown, key: PropertyKey | null | undefined): unknown {
  if (key === null) return null;
  return key === undefined ? value : Reflect.get(Object(value), key);
}

/** Errors: what an error interceptor throws. */
function readError(error: Failed): { body: unknown; status: number } {
  if (!(error instanceof TransportError) || error.reason === "bad-response") {
    return { body: error.data ?? error, status: error.status };
  }
  const cause: unknown = Reflect.get(error, "cause");
  if (cause instanceof ReplacedError) {
    return { body: cause.error || {}, status: cause.response?.status ?? 0 };
  }
  if (error.reason === "network") throw cause;
  return { body: cause ?? error, status: 0 };
}
