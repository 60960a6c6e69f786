import { memberOf } from "../values/member.js";

const maxCauses = 5;

const maxLength = 1000;

/**
 * Returns a line that says what failed and why: the error's name and message,
 * the HTTP status of a response that is invalid, and the causes. For people who
 * run a program, since a cause can contain what users should not read.
 *
 * Output: at most 1,000 characters, without characters that control a terminal.
 *
 * Example: `WebrpcRequestFailed: network: fetch failed: connect ECONNREFUSED
 * 127.0.0.1:8080`.
 */
export function describeError(error: unknown): string {
  const texts: string[] = [];
  let each = error;
  for (let depth = 0; depth <= maxCauses && each != null; depth += 1) {
    texts.push(...textsOf(each));
    // Several addresses of a host failed, usually for the same reason.
    each = memberOf(each, "cause") ?? memberOf(memberOf(each, "errors"), "0");
  }
  const line = texts
    .filter((text) => text !== "")
    .join(": ")
    .replace(/[\p{C}\p{Z}]+/gu, " ");
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line;
}

/** Returns what an error says without its causes. */
function textsOf(error: unknown): readonly string[] {
  if (typeof error !== "object") return [String(error).slice(0, maxLength)];
  const text = (key: string): string => {
    const value = memberOf(error, key);
    const isText = typeof value === "string" || typeof value === "number";
    return isText ? String(value).slice(0, maxLength) : "";
  };
  if (memberOf(error, "isRpcError") !== true) {
    return [text("message") || text("code") || text("name")];
  }
  const isInvalid = text("reason") === "bad-response";
  const status = isInvalid ? `HTTP ${text("status")}` : "";
  return [text("name"), text("message"), status];
}
