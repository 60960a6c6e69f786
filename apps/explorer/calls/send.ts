import {
  createStreamLost,
  createTransportErrorAs,
} from "../../../runtime/typescript/client/transport-error.js";
import {
  type BareError,
  fromEnvelope,
} from "../../../runtime/typescript/wire/bare-error.js";
import { Chunks } from "../../../runtime/typescript/wire/chunks.js";
import { readLines } from "../../../runtime/typescript/wire/read-lines.js";
import {
  endLine,
  hasEnd,
} from "../../../runtime/typescript/wire/stream-end.js";
import { printFlat } from "./json-text.js";
import { type CallRequest, sentHeaders, sentUrl } from "./request.js";

/** The outcome of a call. */
export type CallOutcome =
  | ReceivedResponse
  | {
      readonly kind: "failed";
      readonly reason: FailureReason;
      readonly milliseconds: number;
      /** The browser's error message. */
      readonly detail: string;
    };

/** A response from the server, with any status. */
export interface ReceivedResponse {
  readonly kind: "answer";
  /** The response. Its body has been read. */
  readonly response: Response;
  readonly milliseconds: number;
  readonly body: Blob;
  /** The error in the body, or null. */
  readonly error: BareError | null;
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
  /**
   * Called for each line of a stream as it arrives. Null if the method has no
   * stream.
   */
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
  let built: Request | null = null;
  let response: Response | null = null;
  try {
    const signal = AbortSignal.any([options.signal, slow.signal]);
    built = buildRequest(request, signal);
    // Without an end, a lost stream can look complete.
    if (options.onLine !== null) built.headers.set("accept", streamTypes);
    response = await fetch(built);
    if (response.type === "opaqueredirect") return failed("redirected", "");
    const onLine = isStream(response) ? options.onLine : null;
    if (onLine !== null) clearTimeout(timer);
    const [body, error] = await (onLine === null
      ? readBody(response)
      : readItems(response, onLine));
    const milliseconds = performance.now() - start;
    return { kind: "answer", response, milliseconds, body, error };
  } catch (error) {
    if (built === null) return failed("invalid", error);
    if (options.signal.aborted) return failed("aborted", "");
    if (slow.signal.aborted) return failed("slow", "");
    if (response !== null) {
      return error instanceof RangeError
        ? failed("large", statusOf(response))
        : failed("incomplete", error);
    }
    for (const [, file] of request.files) {
      if (!(await isReadable(file))) return failed("changed", file.name);
    }
    const isThere = await isRefused(request.url, options);
    return failed(isThere ? "refused" : "unreachable", error);
  } finally {
    clearTimeout(timer);
    // Closes the connection if the rest of the response is not wanted.
    slow.abort();
  }
}

/** Any type. Some servers compare the header with that of events. */
const streamTypes = "text/event-stream, */*, */*;end=1";

function buildRequest(request: CallRequest, signal: AbortSignal): Request {
  const hasCookie = request.credentials.some(
    ({ credential }) => credential.place === "cookie",
  );
  return new Request(sentUrl(request), {
    method: request.verb,
    headers: sentHeaders(request).map(([name, value]) => [name, value]),
    body: bodyOf(request),
    signal,
    // Other methods do not read cookies.
    credentials: hasCookie ? "same-origin" : "omit",
    cache: "no-store",
    // A redirect would forward the credentials.
    redirect: "manual",
    referrerPolicy: "no-referrer",
  });
}

function bodyOf({ files, message, texts }: CallRequest): BodyInit | null {
  if (texts === null) return files[0]?.[1] ?? (message && printFlat(message));
  const form = new FormData();
  for (const [name, text] of texts) form.append(name, printFlat(text));
  for (const [name, file] of files) form.append(name, file, file.name);
  return form;
}

/** Whether a response is a stream, as the client decides it. */
function isStream({ headers, ok }: Response): boolean {
  return ok && /ndjson|event-/iu.test(headers.get("content-type") ?? "ndjson");
}

type Content = readonly [body: Blob, error: BareError | null];

async function readBody(response: Response): Promise<Content> {
  const read = readerOf(response);
  const chunks = new Chunks();
  for (let piece = await read(); !piece.done; piece = await read()) {
    chunks.add(piece.value);
  }
  const body = toBlob(response, chunks);
  if (response.ok) return [body, null];
  return [body, readEnvelope(await body.text(), response.status)];
}

function readEnvelope(text: string, status: number): BareError | null {
  try {
    return fromEnvelope(JSON.parse(text), status) ?? null;
  } catch {
    return null;
  }
}

/**
 * Reads a stream to its end or to its first error. Leaves out blank lines, and
 * everything but the data of events.
 */
async function readItems(
  response: Response,
  onLine: (line: string) => void,
): Promise<Content> {
  const type = response.headers.get("content-type") ?? "";
  const isEvents = /event-/iu.test(type);
  const isEnded = hasEnd(type);
  let shown = "";
  let event = "";
  let text = "";
  const finish = (error: BareError | null): Content => [
    new Blob([shown], { type }),
    error,
  ];
  const read = readLines(readerOf(response), RangeError);
  for await (const [lines, isWhole] of read)
    for (const line of lines) {
      const [, field, value = ""] = isEvents
        ? (eventField.exec(line) ?? [])
        : ["", "data", line];
      if (field === "event") event = value.trim();
      if (isEnded && event === "end") return finish(null);
      if (field !== "data") continue;
      text = value.trim();
      if (text === (isEvents ? "[DONE]" : endLine)) return finish(null);
      if (text === "") continue;
      shown += `${text}\n`;
      onLine(text);
      const isItem = isEvents ? event !== "error" : text.startsWith("{");
      // Items of events can be any JSON.
      if (isEvents && isWhole && isItem) continue;
      const error = errorIn(text, isItem, isWhole, isEnded, response.status);
      if (error !== null) return finish(error);
    }
  // The name of an event can be after its data.
  if (event === "error") {
    return finish(errorIn(text, false, true, isEnded, response.status));
  }
  return finish(isEnded ? createStreamLost({ cause: "it has no end" }) : null);
}

const eventField = /^(data|event): ?([^]*)/u;

/**
 * Returns the error that the client throws for a line, or null. A line that is no
 * item is an envelope, alone or in a list.
 */
function errorIn(
  text: string,
  isItem: boolean,
  isWhole: boolean,
  isEnded: boolean,
  status: number,
): BareError | null {
  try {
    const [message] = [JSON.parse(text)].flat();
    // In a stream with an end, this member is data.
    if (isItem && (isEnded || !("webrpcError" in message))) return null;
    const envelope = isItem ? message.webrpcError : message;
    const error = fromEnvelope(envelope, status);
    if (error !== undefined) return error;
  } catch {
    // The line is neither an item nor an error.
  }
  return isWhole
    ? createTransportErrorAs(
        "bad-response",
        { cause: text },
        "WebrpcBadResponse",
        -5,
        status,
      )
    : createStreamLost({ cause: "the last line is cut off" });
}

/**
 * Returns a function that reads the next piece of a body.
 *
 * Errors: RangeError if the body is too large.
 */
function readerOf({ body }: Response) {
  const reader = (body ?? new Blob().stream()).getReader();
  let byteLength = 0;
  return async () => {
    const piece = await reader.read();
    byteLength += piece.value?.byteLength ?? 0;
    if (byteLength <= maxBytes) return piece;
    throw new RangeError("the response is too large");
  };
}

/** Returns the status of a response, e.g. `200 OK`. HTTP/2 has no text. */
export function statusOf({ status, statusText }: Response): string {
  return `${status} ${statusText}`.trim();
}

function toBlob({ headers }: Response, chunks: Chunks): Blob {
  const type = headers.get("content-type") ?? "";
  return new Blob([new Uint8Array(chunks.join())], { type });
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
