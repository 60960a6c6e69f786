import { type Result, TransportError } from "@ridlkit/runtime/client";
import type { errors } from "../contract/errors.js";

/** The outcome of a call, in the form that ts-rest returns. */
export type RestOutcome<Data, Status extends number, Failure> =
  | StrictOutcome<Data, Status, Failure>
  | {
      status: Exclude<HttpStatus, Status | FailureOf<Failure>["status"]>;
      body: unknown;
    };

/** The outcome of a call if the contract declares all statuses. */
export type StrictOutcome<Data, Status extends number, Failure> =
  { status: Status; body: Data } | FailureOf<Failure>;

type Declared = Exclude<keyof typeof errors, `Webrpc${string}`>;

/** The status and the body of each error that the contract declares. */
type FailureOf<Failure> = Failure extends {
  readonly name: infer Name extends Declared;
}
  ? { status: (typeof errors)[Name]["status"]; body: BodyOf<Failure> }
  : never;

type BodyOf<Failure> = Failure extends { readonly data: infer Body }
  ? NonNullable<Body>
  : unknown;

interface Failed {
  readonly status: number;
  readonly data?: unknown;
}

type Call<Value, Failure> = Promise<Result<Value, Failure>>;

/** The output with the status of a success that has one of several statuses. */
interface StatusOutput<Status extends number> {
  readonly output: string;
  readonly of: readonly Status[];
}

/**
 * The body of a success. The key is the output that is the body, null if there
 * is no body, or undefined if all outputs are the body.
 */
type DataOf<Value, Key> = Key extends keyof Value
  ? Value[Key]
  : Key extends null
    ? undefined
    : Value;

/**
 * Waits for the result of a call.
 *
 * Input: the result, the name of the output that is the body of the response
 * (null if it has no body), and the status of a success or the output with it.
 * Errors: those of the connection, which ts-rest throws, too, and those of a
 * success with an invalid body.
 */
export async function outcomeOf<
  Value,
  Failure extends Failed,
  const Key extends keyof Value | null | undefined = undefined,
  const Status extends number = 200,
>(
  call: Call<Value, Failure>,
  key?: Key,
  status?: Status | StatusOutput<Status>,
): Promise<RestOutcome<DataOf<Value, Key>, Status, Failure>> {
  const outcome: unknown = await settle(call, key, status);
  return outcome as RestOutcome<DataOf<Value, Key>, Status, Failure>;
}

/** Waits for the result of a call whose statuses the contract declares. */
export async function strictOutcomeOf<
  Value,
  Failure extends Failed,
  const Key extends keyof Value | null | undefined = undefined,
  const Status extends number = 200,
>(
  call: Call<Value, Failure>,
  key?: Key,
  status?: Status | StatusOutput<Status>,
): Promise<StrictOutcome<DataOf<Value, Key>, Status, Failure>> {
  const outcome: unknown = await settle(call, key, status);
  return outcome as StrictOutcome<DataOf<Value, Key>, Status, Failure>;
}

/** Waits for the result of a call whose only declared status is a success. */
export async function successOf<
  Value,
  const Key extends keyof Value | null | undefined = undefined,
  const Status extends number = 200,
>(
  call: Call<Value, Failed>,
  key?: Key,
  status?: Status | StatusOutput<Status>,
): Promise<{ status: Status; body: DataOf<Value, Key> }> {
  const outcome: unknown = await settle(call, key, status);
  return outcome as { status: Status; body: DataOf<Value, Key> };
}

async function settle(
  call: Call<unknown, Failed>,
  key: PropertyKey | null | undefined,
  status: number | StatusOutput<number> = 200,
): Promise<{ status: number; body: unknown }> {
  const result = await call;
  if (result.ok) {
    const { value } = result;
    const sent =
      typeof status === "number" ? status : Number(read(value, status.output));
    return { status: sent, body: read(value, key) };
  }
  const { error } = result;
  if (error instanceof TransportError) {
    const cause: unknown = Reflect.get(error, "cause");
    if (error.reason !== "bad-response") throw cause ?? error;
    if (error.status < 400) throw error;
    return { status: error.status, body: parse(cause) };
  }
  const { data, status: failed }: Failed = error;
  return { status: failed, body: data };
}

function read(value: unknown, key: PropertyKey | null | undefined): unknown {
  if (key === null) return undefined;
  return key === undefined ? value : Reflect.get(Object(value), key);
}

/** Reads a body that the contract does not declare, or the beginning of it. */
function parse(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return text;
  }
}

/** The statuses that ts-rest knows. */
// prettier-ignore
type HttpStatus =
  | 100 | 101 | 102
  | 200 | 201 | 202 | 203 | 204 | 205 | 206 | 207
  | 300 | 301 | 302 | 303 | 304 | 305 | 307 | 308
  | 400 | 401 | 402 | 403 | 404 | 405 | 406 | 407 | 408 | 409
  | 410 | 411 | 412 | 413 | 414 | 415 | 416 | 417 | 418 | 419
  | 420 | 421 | 422 | 423 | 424 | 428 | 429 | 431 | 451
  | 500 | 501 | 502 | 503 | 504 | 505 | 507 | 511;
