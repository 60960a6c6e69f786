import {
  escapeUnits,
  invisible,
} from "../../generator/4-emit/emitter/invisible.js";
import { LargeResponseError } from "../call-server.js";
import { memberOf } from "../loaded.js";
import { printResponse } from "./print-response.js";

/** Why a call failed. */
export interface CallFailure {
  /**
   * `error`: the server returned an error. `no-response`: there is no valid
   * response. `aborted`: the caller aborted the call.
   */
  readonly kind: "error" | "no-response" | "aborted";
  /** The error for people. The first line is the message. */
  readonly lines: readonly string[];
  /** The error for programs, in the form in which servers send it. */
  readonly envelope: object;
}

/**
 * Describes an error of a client. Returns null for other errors.
 *
 * Input: the base address of the server, and the time limit of the call.
 */
export function describeFailure(
  error: unknown,
  address: string,
  timeoutMs: number,
): CallFailure | null {
  if (memberOf(error, "isRpcError") !== true) return null;
  const code = memberOf(error, "code");
  const name = textOf(error, "name");
  const message = textOf(error, "message");
  const status = Number(memberOf(error, "status"));
  const cause = causeOf(error, timeoutMs);
  const data = memberOf(error, "data");
  const reason = memberOf(error, "reason");
  // A body that does not fit is not in the data.
  const body = data === undefined ? memberOf(error, "body") : undefined;
  const envelope = {
    error: name,
    code,
    msg: message,
    ...(cause !== "" && { cause }),
    status,
    ...(data !== undefined && { data }),
    ...(body !== undefined && { body }),
  };
  if (reason === "aborted") return { kind: "aborted", lines: [], envelope };
  const causes = cause === "" ? [] : [`  = cause: ${cause}`];
  const known =
    data === undefined ? [] : [`  = data: ${printResponse(data, "")}`];
  const other =
    body === undefined ? [] : [`  = body: ${printResponse(body, "")}`];
  const lines =
    reason === undefined
      ? [
          `${name}: ${message}`,
          `  = code: ${String(code)}, HTTP status: ${status}`,
        ]
      : [explain(String(reason), address, status)];
  return {
    kind: reason === undefined ? "error" : "no-response",
    lines: [...lines, ...causes, ...known, ...other].map(toLine),
    envelope,
  };
}

/** Explains the reason of a `TransportError`. */
function explain(reason: string, address: string, status: number): string {
  if (reason === "bad-response") {
    return `the response from \`${address}\` is invalid (HTTP status ${status})`;
  }
  return reason === "stream-lost"
    ? `the connection to \`${address}\` was lost`
    : `no response from \`${address}\``;
}

function textOf(error: unknown, name: string): string {
  return String(memberOf(error, name));
}

/** Returns the most specific cause, e.g. `connect ECONNREFUSED 127.0.0.1:1`. */
function causeOf(error: unknown, timeoutMs: number): string {
  const cause = memberOf(error, "cause");
  if (typeof cause === "string") return cause;
  const isLate =
    memberOf(error, "reason") === "timeout" ||
    memberOf(cause, "name") === "TimeoutError";
  if (isLate) return `nothing arrived within ${timeoutMs / 1000} s`;
  if (cause instanceof LargeResponseError) return cause.message;
  const inner = memberOf(cause, "cause") ?? cause;
  const found = memberOf(inner, "message") || memberOf(inner, "code");
  return typeof found === "string" ? found : "";
}

/** Maximum length of a line that a server determines. */
const maxLength = 2_000;

/** Escapes characters with which a server could control the terminal. */
function toLine(text: string): string {
  const shown = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
  return shown.replace(invisible, escapeUnits);
}
