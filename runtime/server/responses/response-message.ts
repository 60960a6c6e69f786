import { type FileData, isFileData } from "../../wire/file-data.js";
import { stringifyJson } from "../../wire/json.js";
import { memberOf } from "../../values/member.js";
import type { ServerMethod } from "../model/server-method.js";
import {
  type Failure,
  isRecord,
  printFailures,
  validate,
} from "../../values/validation.js";

/**
 * The error for a handler's result that violates the contract or cannot be
 * written as JSON.
 */
export class ResponseMisfit extends Error {
  override readonly name = "ResponseMisfit";
  /** Empty if the result could not be read at all. `cause` has the reason. */
  readonly failures: readonly Failure[];

  constructor(
    method: ServerMethod,
    failures: readonly Failure[],
    cause?: unknown,
  ) {
    const detail =
      failures.length > 0 ? printFailures(failures) : String(cause);
    super(
      `response of ${method.service}.${method.name} violates the contract: ${detail}`,
      { cause },
    );
    this.failures = failures;
  }
}

/**
 * Returns the items of a handler's result.
 *
 * Errors: `ResponseMisfit` if it is not an async iterable.
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
    throw new ResponseMisfit(method, [], "it is not an async iterable");
  }
  return (result as AsyncIterable<unknown>)[Symbol.asyncIterator]();
}

/**
 * Converts a handler's result to its wire form. `undefined` means `{}`.
 *
 * Errors: `ResponseMisfit` if it cannot be converted.
 */
export function toWireForm(method: ServerMethod, result: unknown): unknown {
  const message = result === undefined ? {} : result;
  if (method.encodeResponse === undefined) return message;
  return orMisfit(method, () => method.encodeResponse?.(message));
}

/**
 * Returns the file of a response.
 *
 * Errors: `ResponseMisfit` if there is none.
 */
export function fileOf(method: ServerMethod, message: unknown): FileData {
  const file = memberOf(message, method.download ?? "");
  if (isFileData(file)) return file;
  throw new ResponseMisfit(method, [], "there is no file");
}

/**
 * Returns the violations of a message in its wire form, or null if it is valid.
 * Does not change the message, because handlers may return frozen or shared
 * objects.
 */
export function findMisfit(
  method: ServerMethod,
  message: unknown,
): ResponseMisfit | null {
  const { checkResponse } = method;
  if (checkResponse === null) return null;
  try {
    const failures = validate(checkResponse, message);
    return failures.length > 0 ? new ResponseMisfit(method, failures) : null;
  } catch (error) {
    // For example, a getter of the message throws.
    return new ResponseMisfit(method, [], error);
  }
}

/**
 * Prints the body of a response.
 *
 * Input: `isChecked` means that the message is known to be valid. In that case,
 * only declared properties are printed. Errors: `ResponseMisfit` if the message
 * cannot be written as JSON.
 */
export function toResponseBody(
  method: ServerMethod,
  message: unknown,
  isChecked: boolean,
): string {
  if (method.checkResponse === null) return "{}";
  const { printResponse } = method;
  if (isChecked && printResponse !== undefined) {
    return orMisfit(method, () => printResponse(message));
  }
  const key = method.route.kind === "rest" ? method.route.body : null;
  const value = key !== null && isRecord(message) ? message[key] : message;
  if (value === undefined) {
    throw new ResponseMisfit(method, [], "there is nothing to send");
  }
  return orMisfit(method, () => stringifyJson(value));
}

function orMisfit<Value>(method: ServerMethod, convert: () => Value): Value {
  try {
    return convert();
  } catch (error) {
    throw new ResponseMisfit(method, [], error);
  }
}
