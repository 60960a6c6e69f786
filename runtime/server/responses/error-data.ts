import type { ErrorDefinition } from "../../wire/errors.js";
import { memberOf } from "../../values/member.js";
import { validate } from "../../values/validation.js";
import type { ServerMethod } from "../model/server-method.js";
import { InvalidResponseError } from "./response-message.js";

/**
 * Checks and prints the data of an error.
 *
 * Returns JSON text, or null if there is nothing to send: the error has no data,
 * or the contract declares none for it. Returns an `InvalidResponseError` if the
 * data violates the contract. The options of a server cannot turn this check
 * off.
 */
export function printErrorData(
  method: Pick<ServerMethod, "errorData" | "name" | "service">,
  error: ErrorDefinition,
): string | null | InvalidResponseError {
  const { errorData = {} } = method;
  const { name } = error;
  const known = Object.hasOwn(errorData, name) ? errorData[name] : undefined;
  const data = known && memberOf(error, "data");
  if (known === undefined || data === undefined) return null;
  const subject = `error ${name}`;
  try {
    const message = known.encode === undefined ? data : known.encode(data);
    const failures = validate(known.check, message);
    if (failures.length === 0) return known.print(message);
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
