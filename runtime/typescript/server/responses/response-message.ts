import { type FileData, isFileData } from "../../wire/file-data.js";
import { stringifyJson } from "../../wire/json.js";
import { printHeaders } from "../../wire/print-headers.js";
import { memberOf } from "../../values/member.js";
import type { ServerMethod } from "../model/server-method.js";
import {
  type Failure,
  printFailures,
  validate,
} from "../../values/validation.js";
import { isRecord } from "../../values/predicates.js";

/**
 * The error for a handler's result, or for the data of an error, that violates
 * the contract or cannot be written as JSON.
 */
export class InvalidResponseError extends Error {
  override readonly name = "InvalidResponseError";
  /**
   * Empty if the result could not be read or printed at all. In that case,
   * `cause` is the reason.
   */
  readonly failures: readonly Failure[];

  constructor(
    method: Pick<ServerMethod, "name" | "service">,
    failures: readonly Failure[],
    cause?: unknown,
    subject = "response",
  ) {
    const detail =
      failures.length > 0 ? printFailures(failures) : String(cause);
    super(
      `${subject} of ${method.service}.${method.name} violates the contract: ${detail}`,
      { cause },
    );
    this.failures = failures;
  }
}

/**
 * Returns the items of a handler's result.
 *
 * Errors: `InvalidResponseError` if it is not an async iterable.
 */
export function iterate(
  method: ServerMethod,
  result: unknown,
): AsyncIterator<unknown> {
  const isIterable =
    typeof result === "object" &&
    result !== null &&
    Symbol.asyncIterator in result;
  if (!isIterable) {
    throw new InvalidResponseError(method, [], "it is not an async iterable");
  }
  return (result as AsyncIterable<unknown>)[Symbol.asyncIterator]();
}

/**
 * Converts a handler's result to its wire form. `undefined` means `{}`.
 *
 * Errors: `InvalidResponseError` if it cannot be converted.
 */
export function toWireForm(method: ServerMethod, result: unknown): unknown {
  const message = result === undefined ? {} : result;
  if (method.encodeResponse === undefined) return message;
  return orInvalid(method, () => method.encodeResponse?.(message));
}

/**
 * Returns the file of a response.
 *
 * Errors: `InvalidResponseError` if there is none, or if its size is impossible.
 */
export function fileOf(method: ServerMethod, message: unknown): FileData {
  const file = memberOf(message, method.download ?? "");
  if (!isFileData(file)) {
    throw new InvalidResponseError(method, [], "there is no file");
  }
  const { size = 0 } = file;
  if (Number.isSafeInteger(size) && size >= 0) return file;
  const cause = `the size of the file is ${String(size)}`;
  throw new InvalidResponseError(method, [], cause);
}

/**
 * Returns the violations of a message in its wire form, or null if it is valid.
 * Does not change the message, because handlers may return frozen or shared
 * objects.
 */
export function findViolation(
  method: ServerMethod,
  message: unknown,
): InvalidResponseError | null {
  const { checkResponse } = method;
  if (checkResponse === null) return null;
  try {
    const failures = validate(checkResponse, message);
    return failures.length > 0
      ? new InvalidResponseError(method, failures)
      : null;
  } catch (error) {
    // For example, a getter of the message throws.
    return new InvalidResponseError(method, [], error);
  }
}

/**
 * Prints the body of a response.
 *
 * Input: `isChecked` means that the message is known to be valid. In that case,
 * the method's `printResponse` prints it if there is one. `field` is the body if
 * the method has several statuses, or null if there is no body. Errors:
 * `InvalidResponseError` if the message lacks the body or cannot be written as
 * JSON.
 */
export function toResponseBody(
  method: ServerMethod,
  message: unknown,
  isChecked: boolean,
  field?: string | null,
): string {
  if (field === null) return "";
  if (method.checkResponse === null) return "{}";
  if (field !== undefined) return bodyIn(method, message, isChecked, field);
  const { printResponse } = method;
  if (isChecked && printResponse !== undefined) {
    return orInvalid(method, () => printResponse(message));
  }
  const { route } = method;
  const key = route.kind === "rest" ? route.body : null;
  const isInHeaders = route.kind === "rest" && route.responseHeaders;
  if (isInHeaders && key === null) return "{}";
  const value = key !== null && isRecord(message) ? message[key] : message;
  if (value === undefined) {
    throw new InvalidResponseError(method, [], "there is nothing to send");
  }
  return orInvalid(method, () => stringifyJson(value));
}

/** Prints the field that is the body of one of several statuses. */
function bodyIn(
  method: ServerMethod,
  message: unknown,
  isChecked: boolean,
  field: string,
): string {
  const value = memberOf(message, field);
  const print = isChecked ? method.printBodies?.[field] : undefined;
  if (value === undefined) {
    throw new InvalidResponseError(method, [], `there is no ${field} to send`);
  }
  return orInvalid(method, () => (print ?? stringifyJson)(value));
}

/**
 * Returns the headers that contain fields of a response, or null if the method
 * has none.
 *
 * Input: the response in its wire form. Errors: `InvalidResponseError` if a header
 * cannot contain a value.
 */
export function responseHeaders(
  method: ServerMethod,
  message: unknown,
): Readonly<Record<string, string>> | null {
  const { route } = method;
  const fields = route.kind === "rest" ? route.responseHeaders : undefined;
  if (fields === undefined) return null;
  return orInvalid(method, () => printHeaders(fields, message));
}

function orInvalid<Value>(method: ServerMethod, convert: () => Value): Value {
  try {
    return convert();
  } catch (error) {
    throw new InvalidResponseError(method, [], error);
  }
}
