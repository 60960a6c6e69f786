import type { Exchange, Mismatch } from "./find-mismatch.js";

/** Known differences in servers that webrpc's generators create, by name. */
export const quirks = {
  "unvalidated-message":
    "accepts messages with missing fields, unknown values or values beyond their limits",
  "bad-request":
    "returns WebrpcBadRequest instead of the contract's own error if it cannot read a request",
  "unread-body": "does not read the body of methods without arguments",
  "null-for-empty": "returns null for empty lists, maps and bytes",
  "typescript-envelope":
    "uses `name` and `message` instead of `error` and `msg` in errors",
  "unchecked-verb": "accepts verbs other than POST",
  "unchecked-content-type": "accepts content types other than JSON",
} as const;

/** Name of a quirk of webrpc's servers. */
export type Quirk = keyof typeof quirks;

/** Finds the quirk that explains a mismatch. Returns null if none does. */
export function quirkOf(
  { check, tested }: Exchange,
  { error, kind }: Mismatch,
): Quirk | null {
  if (kind === "typescript-envelope" || kind === "null-for-empty") {
    return kind;
  }
  const isAnswered =
    kind === "accepted" || (kind === "wrong-error" && isFromHandler(error));
  if (kind === "wrong-error" && error === "WebrpcBadRequest") {
    return "bad-request";
  }
  const hasArguments = tested.method.request.message.fields.length > 0;
  switch (check) {
    case "limits":
      return isAnswered ? "unvalidated-message" : null;
    case "malformed bodies":
      return isAnswered && !hasArguments ? "unread-body" : null;
    case "routes and verbs":
      return isAnswered ? "unchecked-verb" : null;
    case "content types":
      return isAnswered ? "unchecked-content-type" : null;
    case "valid messages":
    case "odd requests":
    case "credentials":
      return null;
  }
}

/** Whether an error comes from a handler, not from the server around it. */
function isFromHandler(error: string | null): boolean {
  return (
    error !== null &&
    (!error.startsWith("Webrpc") || error === "WebrpcEndpoint")
  );
}
