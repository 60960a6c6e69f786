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

/** A handler's result that does not fit the contract, or is no JSON. */
export class ResponseMisfit extends Error {
  override readonly name = "ResponseMisfit";
  /** Empty when it could not even be looked at; then `cause` says why. */
  readonly failures: readonly Failure[];

  constructor(
    method: ServerMethod,
    failures: readonly Failure[],
    cause?: unknown,
  ) {
    const detail =
      failures.length > 0 ? printFailures(failures) : String(cause);
    super(
      `response of ${method.service}.${method.name} does not fit: ${detail}`,
      { cause },
    );
    this.failures = failures;
  }
}

/**
 * The elements of a handler's result.
 *
 * Errors: `ResponseMisfit` when it is no async iterable.
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
    throw new ResponseMisfit(method, [], "it is no async iterable");
  }
  return (result as AsyncIterable<unknown>)[Symbol.asyncIterator]();
}

/**
 * A handler's result in wire form; `undefined` stands for `{}`.
 *
 * Errors: `ResponseMisfit` when it cannot be converted.
 */
export function toWireForm(method: ServerMethod, result: unknown): unknown {
  const message = result === undefined ? {} : result;
  if (method.encodeResponse === undefined) return message;
  return orMisfit(method, () => method.encodeResponse?.(message));
}

/**
 * The file that a response is.
 *
 * Errors: `ResponseMisfit` when there is none.
 */
export function fileOf(method: ServerMethod, message: unknown): FileData {
  const file = memberOf(message, method.download ?? "");
  if (isFileData(file)) return file;
  throw new ResponseMisfit(method, [], "there is no file");
}

/**
 * What is wrong with a message in wire form; null when it fits. The message is
 * left as it is: a handler may give what it gave before, or what is frozen.
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
    // For example, a getter throws.
    return new ResponseMisfit(method, [], error);
  }
}

/**
 * The body of a response.
 *
 * Input: `isChecked` says that the message is known to fit; then nothing gets
 * into the body that the contract does not know.
 * Errors: `ResponseMisfit` when the message is no JSON.
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
