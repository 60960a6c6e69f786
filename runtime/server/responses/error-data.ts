import { type ErrorMember, withMember } from "../../wire/error-member.js";
import type { ErrorDefinition } from "../../wire/errors.js";
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

/**
 * Checks and prints the data of an error.
 *
 * Returns JSON text, or null if there is nothing to send: the error has no data,
 * or the contract declares none for it. Returns an `InvalidResponseError` if the
 * data violates the contract. The options of a server cannot turn this check
 * off. If errors have their own body, every error has data.
 */
export function printErrorData(
  method: Pick<ServerMethod, "errorBody" | "errorData" | "name" | "service">,
  error: SentError,
): string | null | InvalidResponseError {
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
    if (failures.length === 0) return known.print(message);
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
  return body === undefined
    ? errorResponse(error, headers)
    : errorResponse(error, headers, print(body, error), body.mediaType);
}

/** Prints the body of an error without data, which is always valid. */
function print(body: ErrorData, error: SentError): string {
  return body.print(fill(body, error, {}));
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
      return `${message}`;
    case "status":
      return toForm(statusOf(error));
    case "cause":
      return typeof cause === "string" ? cause : undefined;
  }
}
