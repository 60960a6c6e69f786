import type { Row } from "./row.js";

/** A response to a malformed request, or null if none arrived in time. */
export type ReceivedAnswer = {
  readonly status: number;
  readonly text: string;
} | null;

/**
 * Returns the fault of a response, or null if the response rejects the request
 * correctly.
 */
export function findFault(row: Row, answer: ReceivedAnswer): string | null {
  if (answer === null) return "no response: the server hangs or has stopped";
  const { status, text } = answer;
  if (status < 400 || status > 499) return `answered ${String(status)} ${text}`;
  const envelope = readEnvelope(text);
  if (envelope === null || envelope.status !== status) {
    return `answered without a valid envelope: ${text}`;
  }
  const wanted = expectedCause(row);
  if (!envelope.cause.startsWith(wanted)) {
    return `expected a cause that begins with ${JSON.stringify(wanted)}, got ${JSON.stringify(envelope.cause)}`;
  }
  const isTold = /sensitive/i.test(row.id) && text.includes(secretOf(row));
  return isTold ? `the response repeats a sensitive value: ${text}` : null;
}

/**
 * Returns the required start of the cause, which is the location of the fault.
 */
function expectedCause(row: Row): string {
  const { headers = {}, body = "" } = row.request;
  const types = Object.entries(headers)
    .filter(([name]) => name.toLowerCase() === "content-type")
    .map(([, type]) => type);
  if (types[0] !== "application/json") return "content-type: ";
  const message = readJson(body);
  if (message === undefined) return "body is not JSON";
  const isObject =
    typeof message === "object" && message !== null && !Array.isArray(message);
  if (!isObject) return "body: expected a JSON object";
  return pathOf(row) ?? Object.keys(message)[0] ?? "";
}

/**
 * Returns the location in the row's expected response, in the notation of a
 * cause, such as `list[0]`.
 */
function pathOf({ response }: Row): string | null {
  const contents = response.body?.assertion.contents ?? "";
  const pointer = /"path"\s*:\s*"\/([^"]*)"/.exec(contents)?.[1];
  if (pointer === undefined) return null;
  const [first, ...rest] = pointer.split("/");
  return [
    first,
    ...rest.map((key) => (/^[0-9]+$/.test(key) ? `[${key}]` : `.${key}`)),
  ].join("");
}

function secretOf({ request }: Row): string {
  const values = Object.values(Object(readJson(request.body ?? "")));
  return values.map(String).join() || " ";
}

function readEnvelope(
  text: string,
): { readonly status: number; readonly cause: string } | null {
  const { error, code, msg, status, cause, ...rest } = Object(readJson(text));
  const isEnvelope =
    typeof error === "string" &&
    typeof code === "number" &&
    typeof msg === "string" &&
    typeof status === "number" &&
    typeof cause === "string" &&
    Object.keys(rest).length === 0;
  return isEnvelope ? { status, cause } : null;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
