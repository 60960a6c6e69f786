import { createServerFetch, LargeResponseError } from "../call-server.js";
import { readLines } from "./read-stream.js";

/** The response to a request. */
export interface ReceivedResponse {
  readonly status: number;
  /** The content type without parameters, in lower case, or "". */
  readonly contentType: string;
  /** Value of the header `Allow`, or null if there is none. */
  readonly allow: string | null;
  /** Returns another header, or null if it is absent. */
  readonly header: (name: string) => string | null;
  /** The body. For a stream, the part that arrived in time. */
  readonly text: string;
  /**
   * The first non-empty lines of a stream, without one that is incomplete. Null
   * for other responses.
   */
  readonly lines: readonly string[] | null;
  /** Whether the response has webrpc's header. */
  readonly isWebrpc: boolean;
}

/** Options for sending requests. */
export interface SendOptions {
  readonly fetch: typeof fetch;
  /** Time limit for each response, in milliseconds. */
  readonly timeoutMs: number;
}

/** Maximum number of attempts to send a request. */
const maxAttempts = 4;
const maxPauseMs = 5_000;

/** Maximum size of a response. Up to four responses are read concurrently. */
const maxBytes = 4 * 1024 * 1024;

/**
 * Sends a request. Retries if the server is busy. If the connection fails before
 * the response, e.g. because the server closed an idle one, the server may have
 * handled the request, so this only retries if the request is repeatable.
 * Returns the response, or why there is none.
 */
export async function send(
  url: string,
  init: RequestInit,
  isRepeatable: boolean,
  options: SendOptions,
): Promise<ReceivedResponse | string> {
  for (let attempt = 1; ; attempt += 1) {
    const result = await sendOnce(url, init, options);
    const isFinal =
      result.pauseMs === null || ("reason" in result && !isRepeatable);
    if (isFinal || attempt === maxAttempts) {
      return "reason" in result ? result.reason : result;
    }
    const pauseMs = Math.min(result.pauseMs, maxPauseMs);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** The reason why there is no response. */
interface NoAnswer {
  readonly reason: string;
  /** Delay before a retry, or null for no retry. */
  readonly pauseMs: number | null;
}

/** A response, and the delay before a retry. The delay is null for no retry. */
interface AnswerAttempt extends ReceivedResponse {
  readonly pauseMs: number | null;
}

async function sendOnce(
  url: string,
  init: RequestInit,
  { fetch, timeoutMs }: SendOptions,
): Promise<AnswerAttempt | NoAnswer> {
  const call = createServerFetch({ maxBytes, timeoutMs }, fetch);
  let response: Response | undefined;
  try {
    response = await call(url, init);
    const { headers, status } = response;
    const [contentType = ""] = (headers.get("content-type") ?? "").split(";");
    const type = contentType.trim().toLowerCase();
    const isEvents = type === "text/event-stream" && response.ok;
    const isLines = type === "application/x-ndjson" && status === 200;
    const retryAfter = headers.get("retry-after");
    const isBusy = (status === 429 || status === 503) && retryAfter !== null;
    const lines =
      isLines || isEvents ? await readLines(response, isEvents) : null;
    return {
      status,
      contentType: type,
      allow: headers.get("allow"),
      header: (name) => headers.get(name),
      text: lines?.join("\n") ?? (await response.text()),
      lines,
      isWebrpc: headers.has("webrpc"),
      pauseMs: isBusy ? delayOf(retryAfter) : null,
    };
  } catch (error) {
    return describe(error, response !== undefined, timeoutMs);
  }
}

/**
 * Returns the delay in milliseconds for a `Retry-After` header, which is a
 * number of seconds or a date, or a second for anything else.
 */
function delayOf(header: string): number {
  const delayMs = /^\d+$/u.test(header)
    ? Number(header) * 1000
    : Date.parse(header) - Date.now();
  return Number.isNaN(delayMs) ? 1000 : Math.max(0, delayMs);
}

/** Explains a failure. Input: whether the response has begun. */
function describe(
  error: unknown,
  isBegun: boolean,
  timeoutMs: number,
): NoAnswer {
  const { cause, message, name } =
    error instanceof Error ? error : new Error(String(error));
  const what = isBegun ? "the response was cut off" : "no response";
  if (name === "TimeoutError") {
    const late = isBegun ? "no complete response" : "no response";
    return { reason: `${late} within ${timeoutMs / 1000} s`, pauseMs: null };
  }
  if (error instanceof LargeResponseError)
    return { reason: message, pauseMs: null };
  const inner = cause instanceof Error ? cause.message : "";
  const reason = `${what}: ${inner || message}`;
  return { reason, pauseMs: isBegun ? null : 0 };
}
