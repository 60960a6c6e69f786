import { builtInErrors } from "../../wire/errors.js";
import { Refusal } from "../model/refusal.js";

/** Header with the key of a call. */
export const keyHeader = "idempotency-key";

/**
 * Header of the refusal of a key that belongs to a call that is running. No body
 * can tell, because contracts and frameworks have bodies of their own.
 */
export const stateHeader = "idempotency-state";

/** A string of RFC 9651, section 3.3.3, with 1 to 255 characters. */
const quoted = /^ *"((?:[ !#-[\]-~]|\\["\\]){1,255})" *$/;

/**
 * Returns the key in a header.
 *
 * Errors: `Refusal` if the header is missing or malformed.
 */
export function readKey(header: string | null): string {
  const key = quoted.exec(header ?? "")?.[1];
  if (key !== undefined) return key.replace(/\\(.)/g, "$1");
  const got = header === null ? "nothing" : JSON.stringify(header.slice(0, 40));
  throw new Refusal(
    builtInErrors.WebrpcBadRequest,
    'header Idempotency-Key: expected 1 to 255 ASCII characters in quotes, e.g. "8e03978e-40d5-43dd-bc93-6894a57f9324", got ' +
      got,
  );
}

/** Creates the refusal of a key that belongs to a call that is running. */
export function keyInUse(): Refusal {
  return new Refusal(
    { ...builtInErrors.WebrpcRequestFailed, status: 409 },
    "header Idempotency-Key: a call with this key is still running",
    [],
    { "retry-after": "1", [stateHeader]: "running" },
  );
}

/** Creates the refusal of a key that belongs to another request. */
export function keyReused(): Refusal {
  return new Refusal(
    { ...builtInErrors.WebrpcBadRequest, status: 422 },
    "header Idempotency-Key: expected a new key, got the key of another request",
  );
}

/** Creates the refusal of a repetition whose answer was too long to keep. */
export function answerTooLong(): Refusal {
  return new Refusal(
    builtInErrors.WebrpcBadResponse,
    "the call has already run, but its answer was too long to be kept",
  );
}
