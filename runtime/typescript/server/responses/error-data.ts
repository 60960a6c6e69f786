import { type ErrorMember, withMember } from "../../wire/error-member.js";
import type { ErrorDefinition } from "../../wire/errors.js";
import { parseJson, stringifyJson } from "../../wire/json.js";
import { printHeaders } from "../../wire/print-headers.js";
import { memberOf } from "../../values/member.js";
import { validate } from "../../values/validation.js";
import type { ServerResponse } from "../model/exchange.js";
import type {
  ErrorBody,
  ErrorData,
  ServerMethod,
} from "../model/server-method.js";
import { errorResponse, statusOf } from "./response.js";
import { InvalidResponseError } from "./response-message.js";

/** An error as it is sent. */
type SentError = ErrorDefinition & { readonly cause?: unknown };

/** The data of an error as it is sent. */
export interface PrintedData {
  readonly json: string;
  /** The headers that contain the rest of the data. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Checks and prints the data of an error.
 *
 * Input: `isWhole` is whether all data is in the JSON, because the headers have
 * been sent. Returns null if there is nothing to send: the error has no data,
 * or the contract declares none for it. Returns an `InvalidResponseError` if the
 * data violates the contract. The options of a server cannot turn this check
 * off. If errors have their own body, every error has data.
 */
export function printErrorData(
  method: Pick<ServerMethod, "errorBody" | "errorData" | "name" | "service">,
  error: SentError,
  isWhole: boolean,
): PrintedData | null | InvalidResponseError {
  const { errorBody, errorData = {} } = method;
  const { name } = error;
  const own = Object.hasOwn(errorData, name) ? errorData[name] : undefined;
  const known = own ?? errorBody;
  const data = known && memberOf(error, "data");
  if (known === undefined || (data === undefined && !errorBody)) return null;
  const subject = `error ${name}`;
  try {
    const message = fill(known, error, data === undefined ? {} : data);
    const failures = validate(known.check, message);
    if (failures.length === 0)
      return isWhole ? { json: known.print(message) } : split(known, message);
    // An error that a server creates lacks what only a handler knows.
    if (data === undefined && errorBody) return print(errorBody, error);
    const placed = failures.map((failure) => ({
      ...failure,
      path: ["data", ...failure.path],
    }));
    return new InvalidResponseError(method, placed, undefined, subject);
  } catch (cause) {
    // For example, a getter of the data throws.
    return new InvalidResponseError(method, [], cause, subject);
  }
}

/** Creates the response to a request that no handler has seen. */
export function refusalResponse(
  error: SentError,
  headers: Readonly<Record<string, string>> | undefined,
  body: ErrorBody | undefined,
): ServerResponse {
  if (body === undefined) return errorResponse(error, headers);
  const data = print(body, error);
  const all = data.headers ? { ...data.headers, ...headers } : headers;
  return errorResponse(error, all, data.json, body.mediaType);
}

/** Prints the body of an error without data, which is always valid. */
function print(body: ErrorData, error: SentError): PrintedData {
  return split(body, fill(body, error, {}));
}

/** Prints data in its JSON form as an object and headers. */
function split({ headers, print }: ErrorData, message: unknown): PrintedData {
  const json = print(message);
  if (headers === undefined) return { json };
  const inHeaders = new Set(Object.values(headers));
  const members = Object.entries(Object(parseJson(json)));
  const body = members.filter(([key]) => !inHeaders.has(key));
  return {
    json: stringifyJson(Object.fromEntries(body)),
    headers: printHeaders(headers, message),
  };
}

/** Returns the JSON form of data with all members that the error determines. */
function fill(
  { encode, members = [] }: Pick<ErrorData, "encode" | "members">,
  error: SentError,
  data: unknown,
): unknown {
  const hasCause = members.some(({ role }) => role === "cause");
  const filled = members.reduce((body, member) => {
    const value =
      member.role === "message" && !hasCause
        ? messageOf(error)
        : valueOf(member, error);
    return value === undefined ? body : withMember(body, member.path, value);
  }, data);
  return encode === undefined ? filled : encode(filled);
}

/** Returns the message with the cause, which has no member of its own. */
function messageOf({ cause, message }: SentError): string {
  return typeof cause === "string" ? `${message}: ${cause}` : `${message}`;
}

function valueOf(
  { isOpen, isText, names, role, value }: ErrorMember,
  error: SentError,
): unknown {
  const toForm = (number: number): unknown => (isText ? `${number}` : number);
  const { cause, code, message, name } = error;
  if (role === undefined) return value;
  switch (role) {
    case "name":
      if (names === undefined) return name;
      if (Object.hasOwn(names, name)) return names[name];
      return isOpen ? name : undefined;
    case "code":
      return toForm(Number.isFinite(code) ? code : 0);
    case "message":
    case "title":
      return `${message}`;
    case "status":
      return toForm(statusOf(error));
    case "cause":
      return typeof cause === "string" ? cause : undefined;
  }
}
