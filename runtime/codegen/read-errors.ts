import type { Read } from "./codec.js";
import type { ReadError } from "../client/client-method.js";
import { fromEnvelope } from "../wire/bare-error.js";
import { parseJson } from "../wire/json.js";
import { memberOf } from "../values/member.js";
import { type Check, type Failure, validate } from "../values/validation.js";

/** How to read the data of an error. */
export interface DataReader {
  readonly check: Check;
  /** Converts valid data to its TypeScript form. Default: it is the same. */
  readonly read?: Read;
}

/**
 * Returns a function that reads an envelope with its data. Data of other errors
 * and invalid data are ignored.
 *
 * Input: readers by the names of the errors.
 */
export function readErrors(
  readers: Readonly<Record<string, DataReader>>,
): ReadError {
  return (json, status) => {
    const error = fromEnvelope(json, status);
    if (error === undefined || !Object.hasOwn(readers, error.name))
      return error;
    const reader = readers[error.name];
    const value = reader && readData(reader, memberOf(json, "data"));
    // Not enumerable, so that logs do not contain it.
    return Object.defineProperty(error, "data", { value, configurable: true });
  };
}

function readData({ check, read }: DataReader, data: unknown): unknown {
  if (data == null) return undefined;
  for (;;) {
    const failures = validate(check, data, { dropsNulls: true });
    if (failures.length === 0) return read === undefined ? data : read(data);
    // A report is limited, so there can be more failures after these.
    if (!failures.every((failure) => quoteInteger(data, failure)))
      return undefined;
  }
}

/**
 * Replaces an integer where the contract has a string that represents one, as
 * in results. Returns false for any other failure.
 */
function quoteInteger(data: unknown, { expected, path }: Failure): boolean {
  const key = path.at(-1) ?? "";
  const holder = Object(path.slice(0, -1).reduce(memberAt, data));
  const value = memberAt(holder, key);
  return (
    expected.startsWith("a string that represents an integer") &&
    (typeof value === "bigint" || Number.isSafeInteger(value)) &&
    Reflect.set(holder, key, `${value}`)
  );
}

function memberAt(holder: unknown, key: number | string): unknown {
  return memberOf(holder, String(key));
}

/**
 * Does the same as `readErrors`, without rounding the integers of the data.
 */
export function readErrorsExactly(
  readers: Readonly<Record<string, DataReader>>,
): ReadError {
  const read = readErrors(readers);
  return (json, status, text) =>
    read(text === undefined ? json : parseJson(text), status);
}
