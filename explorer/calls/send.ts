import { Chunks } from "../../runtime/wire/chunks.js";
import { readLines } from "../../runtime/wire/read-lines.js";
import { printFlat } from "./json-text.js";
import { type CallRequest, sentHeaders } from "./request.js";

/** The outcome of a call. */
export type CallOutcome =
  | Answer
  | {
      readonly kind: "failed";
      readonly reason: FailureReason;
      readonly milliseconds: number;
      /** The browser's error message. */
      readonly detail: string;
    };

/** A response from the server, with any status. */
export interface Answer {
  readonly kind: "answer";
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly milliseconds: number;
  readonly body: Blob;
}

/** The reason why there is no response. */
export type FailureReason =
  | "aborted"
  /**
   * The server responded, but the browser does not allow the page to read the
   * response.
   */
  | "refused"
  | "unreachable"
  | "redirected"
  /** A file has changed since the user chose it, so it cannot be read. */
  | "changed"
  /** The connection was closed before the response was complete. */
  | "incomplete"
  /** The response is larger than {@link maxBytes}. */
  | "large"
  /** The response took longer than {@link timeoutMs}. */
  | "slow"
  /** The browser rejected the request. */
  | "invalid";

/** Maximum size of a response, because the page must show it. */
export const maxBytes: number = 32 * 1024 * 1024;

/** Maximum time until a response is complete or a stream has begun. */
export const timeoutMs = 60_000;

/** Options for sending a call. */
export interface SendOptions {
  readonly signal: AbortSignal;
  /** Origin of the page. */
  readonly origin: string;
  /** Called for each line of a stream as it arrives. */
  readonly onLine: ((line: string) => void) | null;
}

/** Sends a call with `fetch`. Never throws: failures are outcomes. */
export async function sendCall(
  request: CallRequest,
  options: SendOptions,
): Promise<CallOutcome> {
  const start = performance.now();
  const slow = new AbortController();
  const timer = setTimeout(() => slow.abort(), timeoutMs);
  const failed = (reason: FailureReason, detail: unknown): CallOutcome => ({
    kind: "failed",
    reason,
    milliseconds: performance.now() - start,
    detail: detail instanceof Error ? detail.message : String(detail),
  });
  let built: Request;
  try {
    const signal = AbortSignal.any([options.signal, slow.signal]);
    built = buildRequest(request, signal);
  } catch (error) {
    return failed("invalid", error);
  }
  let response: Response | null = null;
  try {
    response = await fetch(built);
    if (response.type === "opaqueredirect") return failed("redirected", "");
    const onLine = response.ok ? options.onLine : null;
    if (onLine !== null) clearTimeout(timer);
    const body = await readBody(response, onLine);
    return {
      kind: "answer",
      status: response.status,
      statusText: response.statusText,
      headers: [...response.headers],
      milliseconds: performance.now() - start,
      body,
    };
  } catch (error) {
    if (options.signal.aborted) return failed("aborted", "");
    if (slow.signal.aborted) return failed("slow", "");
    if (error instanceof RangeError) return failed("large", "");
    if (response !== null) return failed("incomplete", error);
    for (const [, file] of request.files ?? []) {
      if (!(await isReadable(file))) return failed("changed", file.name);
    }
    const isThere = await isRefused(request.url, options);
    return failed(isThere ? "refused" : "unreachable", error);
  } finally {
    clearTimeout(timer);
  }
}

function buildRequest(request: CallRequest, signal: AbortSignal): Request {
  return new Request(request.url, {
    method: request.verb,
    headers: sentHeaders(request).map(([name, value]) => [name, value]),
    body: bodyOf(request),
    signal,
    // Credentials are headers. The server's cookies are not sent.
    credentials: "omit",
    cache: "no-store",
    // A redirect would forward the credentials.
    redirect: "manual",
    referrerPolicy: "no-referrer",
  });
}

function bodyOf({ files, message }: CallRequest): BodyInit | null {
  if (message === null) return null;
  const json = printFlat(message);
  if (files === null) return json;
  const form = new FormData();
  form.append("json", json);
  for (const [name, file] of files) form.append(name, file, file.name);
  return form;
}

/**
 * Reads a body. Passes on each line of a stream, and leaves out blank ones.
 *
 * Errors: RangeError if the body is too large.
 */
async function readBody(
  { body, headers }: Response,
  onLine: SendOptions["onLine"],
): Promise<Blob> {
  const reader = body?.getReader();
  const chunks = new Chunks();
  let byteLength = 0;
  const read = async (): Promise<ReadableStreamReadResult<Uint8Array>> => {
    if (reader === undefined) return { done: true, value: undefined };
    const result = await reader.read();
    if (result.done) return result;
    if (onLine === null) chunks.add(result.value);
    byteLength += result.value.byteLength;
    if (byteLength <= maxBytes) return result;
    reader.cancel().catch(() => {});
    throw new RangeError("the response is too large");
  };
  if (onLine === null) while (!(await read()).done);
  else {
    const encoder = new TextEncoder();
    for await (const [line] of readLines(read, maxBytes)) {
      chunks.add(encoder.encode(`${line}\n`));
      onLine(line);
    }
  }
  const type =
    onLine === null ? headers.get("content-type") : "application/x-ndjson";
  return new Blob([new Uint8Array(chunks.join())], { type: type ?? "" });
}

/** Browsers stop reading a file once it has changed. */
async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

/** Timeout for checking whether a server is reachable. */
const probeMs = 3000;

/**
 * Whether a server is reachable but did not allow this page to read its
 * response. Browsers do not report why a request failed, so this sends another
 * one without credentials to the server's origin.
 */
async function isRefused(url: string, options: SendOptions): Promise<boolean> {
  const { origin } = new URL(url);
  if (origin === options.origin) return false;
  try {
    const probe: RequestInit = {
      mode: "no-cors",
      credentials: "omit",
      cache: "no-store",
      signal: AbortSignal.timeout(probeMs),
    };
    await fetch(origin, probe);
    return true;
  } catch {
    return false;
  }
}
